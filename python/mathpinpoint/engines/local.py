"""Map a function over shards on this machine: in this process, or in several."""

import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context, parent_process
from typing import Any


def map_shards(
    function: Callable[[Any], int], shards: Iterable[Any], *, workers: int
) -> Iterator[int]:
    """`function` of each shard, as they finish; with more than one worker and shard, in processes of their own.

    `function` and the shards must be picklable. At most two shards a worker wait, so that memory is bounded.
    The first exception ends the run; shards that are finished stay finished.
    """
    remaining = iter(shards)
    first = list(itertools.islice(remaining, 2))
    remaining = itertools.chain(first, remaining)
    if workers <= 1 or len(first) <= 1:
        yield from map(function, remaining)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent) as pool:
        waiting = set()
        try:
            while True:
                while len(waiting) < 2 * workers and (shard := next(remaining, None)) is not None:
                    waiting.add(pool.submit(function, shard))
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        finally:
            for future in waiting:
                future.cancel()


def end_with_parent() -> None:
    """Let this worker end when its parent is gone, even killed, and at Ctrl-C without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent_process().join()
    os._exit(1)
