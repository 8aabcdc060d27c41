"""Maps a function over items in worker processes, each item under a time and a memory limit.

A worker that hangs or dies is killed and replaced; only the item that it had fails. An item goes
to a worker when the worker is idle, so that the culprit is always known and none is done twice.
"""

import math
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path

_COMMAND = "from mathpinpoint.engines.guarded import serve; serve({handle})"
_START_SECONDS = 120.0  # a worker that cannot even import in this time is an error of ours
_AHEAD = 8  # items a worker that may be done before the oldest is: bounds what is held


@dataclass(frozen=True)
class Failure:
    """What stands in the place of a result: `reason` is timeout, memory or crashed."""

    reason: str
    detail: str = ""


def guarded_map(
    function: Callable, items: Iterable, *, workers: int, seconds: float, memory_bytes: int
) -> Iterator:
    """Yields `function(item)` or a Failure for each item, in the order of the items.

    `function` must be importable from its module, items and results picklable. `seconds` is the
    wall clock of one item; `memory_bytes` is what a worker may hold beyond what it held when it
    started. Raises RuntimeError if a worker cannot start.
    """
    pool = [_Worker(function, seconds, memory_bytes) for _ in range(workers)]
    todo, done, position, oldest = iter(items), {}, 0, 0
    is_open = True
    try:
        while True:
            for worker in pool:
                if is_open and worker.is_idle and position - oldest < _AHEAD * workers:
                    item = next(todo, _NO_ITEM)
                    is_open = item is not _NO_ITEM
                    if is_open:
                        worker.give(position, item)
                        position += 1
            if not is_open and oldest == position:
                return
            for worker in _ready(pool):
                index, result = worker.take()
                done[index] = result
            while oldest in done:
                yield done.pop(oldest)
                oldest += 1
    finally:
        for worker in pool:
            worker.stop()


_NO_ITEM = object()


def _ready(pool: list["_Worker"]) -> list["_Worker"]:
    """The busy workers that have answered, died or run out of time; waits for the first."""
    busy = [worker for worker in pool if not worker.is_idle]
    if not busy:
        return []
    left = min(worker.deadline for worker in busy) - time.monotonic()
    answered = wait([worker.connection for worker in busy], timeout=max(0.0, left))
    now = time.monotonic()
    return [w for w in busy if w.connection in answered or w.deadline <= now]


class _Worker:
    """One worker process and the item that it has."""

    def __init__(self, function: Callable, seconds: float, memory_bytes: int):
        self.arguments = (function, seconds, memory_bytes)
        self.seconds = seconds
        self.index: int | None = None
        self.deadline = math.inf
        self._start()

    @property
    def is_idle(self) -> bool:
        return self.index is None

    def _start(self) -> None:
        """Start a fresh interpreter: nothing of this process is shared or imported again."""
        self.connection, theirs = Pipe()
        command = _COMMAND.format(handle=theirs.fileno())
        self.process = subprocess.Popen(
            [sys.executable, "-c", command],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True,
        )
        theirs.close()
        self.connection.send(sys.path)
        self.connection.send(self.arguments)
        self.is_started = False

    def _await_start(self) -> None:
        try:
            if self.connection.poll(_START_SECONDS) and self.connection.recv() == "ready":
                self.is_started = True
                return
        except (EOFError, OSError):
            pass
        raise RuntimeError(f"A worker process for {self.arguments[0]} did not start; see above.")

    def give(self, index: int, item: object) -> None:
        if not self.is_started:
            self._await_start()
        self.index, self.deadline = index, time.monotonic() + self.seconds
        try:
            self.connection.send(item)
        except OSError:
            pass  # it died while idle: `take` sees that

    def take(self) -> tuple[int, object]:
        """The index and result of the item in hand; replaces a worker that has none to give."""
        index, self.index, self.deadline = self.index, None, math.inf
        try:
            if self.connection.poll():
                return index, self.connection.recv()
            failure = Failure("timeout", f"more than {self.seconds:g} seconds")
        except (EOFError, OSError):
            failure = self._how_it_died()
        self._kill()
        self._start()
        return index, failure

    def _how_it_died(self) -> Failure:
        code = self.process.wait()
        if code == -signal.SIGXCPU:
            return Failure("timeout", "processor time")
        return Failure("crashed", f"exit code {code}")

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()

    def stop(self) -> None:
        """End the worker, whatever it does."""
        self._kill()


def serve(handle: int) -> None:
    """A worker's life: answers items over the pipe `handle` until the other side closes it."""
    connection = Connection(handle)
    sys.path[:] = connection.recv()
    function, seconds, memory_bytes = connection.recv()
    limit = _held_bytes() + memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    connection.send("ready")
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        except MemoryError:
            connection.send(Failure("memory", "the item itself is too large"))
            return
        _limit_processor(seconds)
        connection.send(_result(function, item))


def _result(function: Callable, item: object) -> object:
    try:
        return function(item)
    except MemoryError:
        return Failure("memory")
    except Exception as error:
        return Failure("crashed", f"{type(error).__name__}: {error}"[:500])


def _limit_processor(seconds: float) -> None:
    """End a worker by itself, should its parent be gone while it hangs."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 5
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 else min(soft, hard), hard))


def _held_bytes() -> int:
    """Address space that this process holds now; 0 where the system does not say."""
    statistics = Path("/proc/self/statm")
    if not statistics.exists():
        return 0
    return int(statistics.read_text().split()[0]) * resource.getpagesize()
