"""The benchmark of the judge's client, at a small size: it counts at the server, and compares like with like."""

import json
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3]


def test_both_clients_send_each_request_once(figures_folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (FOLDER / "python", FOLDER / "benchmarks")))}
    done = subprocess.run(
        [sys.executable, FOLDER / "benchmarks" / "judging", "--quick"], env=environment, capture_output=True, text=True,
    )
    assert "Figures: " in done.stdout, done.stderr
    figures = json.loads((figures_folder / "judging.json").read_text())
    value = {(one["measure"], one["system"]): one["value"] for one in figures}
    for system in ("mathpinpoint", "bare openai loop"):
        assert value["CPU milliseconds a request", system] > 0 and value["requests a second, one process", system] > 0
