"""Two runs over one home: the second one says who holds it."""

import os
import subprocess
import sys

import pytest

from mathpinpoint.locks import Busy, hold

HOLD = """
import pathlib, sys, time
from mathpinpoint.locks import hold
hold(pathlib.Path(sys.argv[1]), "the home")
print("held", flush=True)
time.sleep(60)
"""


def test_second_holder_is_told_the_first_ones_pid(tmp_path):
    path = tmp_path / "run.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout.readline() == "held\n"
        with pytest.raises(Busy, match=f"the home is in use by the process with PID {first.pid}"):
            hold(path, "the home")
        first.kill()
    os.close(hold(path, "the home"))
