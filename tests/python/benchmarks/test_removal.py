"""The benchmark of question removal, small: its aims hold, and its peers are measured beside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("MATHPINPOINT_DATA") or PROJECT.parent / "shared" / "data")


def bench(data: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, PROJECT / "benchmarks" / "removal", "--quick"],
        capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "MATHPINPOINT_DATA": str(data)},
    )


@pytest.mark.skipif(not (DATA / "problems" / "math_test.jsonl").exists(), reason="the shared problems are not here")
def test_seven_layouts_lose_the_question_and_little_else():
    done = bench(DATA)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("reached") == 2 and "MISSED" not in done.stdout
    for peer in ("exact substring", "rapidfuzz partial_ratio", "edlib infix", "4-gram chaining"):
        assert f"all: question tokens removed, % | {peer} | 84 |" in done.stdout


def test_missing_problems_are_named(tmp_path):
    done = bench(tmp_path)
    assert done.returncode == 2 and f"There is no {tmp_path}" in done.stdout
