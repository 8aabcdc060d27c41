"""One process at a time: a lock on a file that names its holder."""

import fcntl
import os
from pathlib import Path


class Busy(RuntimeError):
    """Another process holds the lock."""


def hold(path: Path, what: str) -> int:
    """Lock `path` for this process until the descriptor given back is closed or the process ends.

    Raises Busy, which names `what` and the PID of the holder.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 20, 0).decode() or "unknown"
        os.close(lock)
        raise Busy(
            f"{what} is in use by the process with PID {holder}. "
            "Wait until it ends, or stop it (kill -TERM); nothing is lost."
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock
