"""Workers on this machine end with the process that started them, however it ends."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from mathpinpoint.engines.local import map_shards

MAP = """
import os, sys, time
from mathpinpoint.engines.local import map_shards

def say_and_wait(number):
    os.write(1, b"%d\\n" % os.getpid())  # one write: lines of two processes do not mix
    time.sleep(60)

if __name__ == "__main__":
    for _ in map_shards(say_and_wait, range(9), workers=2):
        pass
"""


def gone(pid):
    """Tell whether a process is away, or will be within ten seconds."""
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_parent(tmp_path, how):
    script = tmp_path / "script.py"
    script.write_text(MAP)
    command = ["env", "--default-signal=INT", sys.executable, str(script)]  # a shell may have it ignored
    started = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen(command, text=True, **started) as parent:
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        if how == signal.SIGINT:
            os.killpg(parent.pid, how)  # as a terminal does
        else:
            parent.send_signal(how)
        errors = parent.communicate(timeout=30)[1]
    assert all(gone(worker) for worker in workers)
    assert parent.returncode == -how
    assert errors.count("Traceback") <= (how == signal.SIGINT), errors


def own_process(_):
    return os.getpid()


def test_one_shard_needs_no_other_process_and_two_are_in_others():
    here = os.getpid()
    assert list(map_shards(own_process, [1], workers=2)) == [here]
    assert list(map_shards(own_process, [], workers=2)) == []
    assert list(map_shards(own_process, [1, 2], workers=1)) == [here, here]
    assert here not in list(map_shards(own_process, [1, 2], workers=2))
