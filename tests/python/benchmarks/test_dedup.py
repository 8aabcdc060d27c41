"""The benchmark of near-duplicates, at a small size."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3]
PEERS = ("datasketch", "datatrove", "rensa", "spacy")


@pytest.mark.skipif(any(importlib.util.find_spec(name) is None for name in PEERS), reason="peers are not installed")
def test_the_benchmark_of_near_duplicates_keeps_twins_apart(figures_folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (FOLDER / "python", FOLDER / "benchmarks")))}
    done = subprocess.run(
        [sys.executable, FOLDER / "benchmarks" / "dedup", "--quick"], env=environment, capture_output=True, text=True,
    )
    assert "Figures: " in done.stdout, done.stderr
    figures = json.loads((figures_folder / "dedup.json").read_text())
    value = {(one["measure"], one["system"]): one["value"] for one in figures}
    assert value["share of number-twins merged", "mathpinpoint"] == 0
    assert value["share of number-twins merged", "rensa"] > 0.5
    assert value["precision by brute force", "mathpinpoint"] == 1
    assert value["recall of brute force", "mathpinpoint"] >= 0.95
