"""Map a function over shards on this machine: in this process, or in several."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from typing import Any

from mathpinpoint.engines import TRIES, worker_lost

_here: Callable[[Any], int] | None = None  # in a worker: the function that it maps


def map_shards(
    function: Callable[[Any], int], shards: Iterable[Any], *, workers: int
) -> Iterator[int]:
    """`function` of each shard, as they finish; more than one shard and worker: in processes of their own.

    `function` and the shards must be picklable; `function` goes to each worker once. A worker holds one shard at a
    time, so that memory is bounded. A shard whose worker is killed goes to a new one, and costs no other shard;
    raises EngineError where that one is killed, too. The first exception ends the run; shards that are finished stay.
    """
    remaining = iter(shards)
    head = list(islice(remaining, 2))
    remaining = chain(head, remaining)
    if workers <= 1 or len(head) <= 1:
        yield from map(function, remaining)
        return
    pool = [_Worker(function) for _ in range(workers)]
    try:
        yield from _mapped(pool, remaining)
    finally:
        for worker in pool:
            worker.stop()


def _mapped(idle: list["_Worker"], remaining: Iterator[Any]) -> Iterator[int]:
    """Give each idle worker the next shard, until none is left and none is at work."""
    idle, busy = list(idle), {}
    while True:
        while idle and (shard := next(remaining, None)) is not None:
            worker = idle.pop()
            busy[worker.start(shard)] = worker
        if not busy:
            return
        done, _ = wait(busy, return_when=FIRST_COMPLETED)
        for future in done:
            worker = busy.pop(future)
            if isinstance(future.exception(), BrokenProcessPool):
                busy[worker.start_again()] = worker
                continue
            idle.append(worker)
            yield future.result()


class _Worker:
    """One process, the shard that it has, and how often that was tried."""

    def __init__(self, function: Callable[[Any], int]):
        self.function = function
        self._open()

    def _open(self) -> None:
        context = get_context("spawn")
        self.pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self.function,))

    def start(self, shard: Any) -> Future:
        self.shard, self.tries = shard, 1
        return self.pool.submit(_call, shard)

    def start_again(self) -> Future:
        """The same shard in a new process."""
        if self.tries == TRIES:
            raise worker_lost()
        self.tries += 1
        self.stop()
        self._open()
        return self.pool.submit(_call, self.shard)

    def stop(self) -> None:
        self.pool.shutdown(cancel_futures=True)


def _begin(function: Callable[[Any], int]) -> None:
    global _here
    end_with_parent()
    _here = function


def _call(shard: Any) -> int:
    return _here(shard)


def end_with_parent() -> None:
    """Let this worker end when its parent is gone, even killed, and at Ctrl-C without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent_process().join()
    os._exit(1)
