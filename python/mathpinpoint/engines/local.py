"""Map a function over shards on this machine: in this process, or in several."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any


def map_shards(
    function: Callable[[Any], int], shards: Iterable[Any], *, workers: int
) -> Iterator[int]:
    """`function` of each shard, as they finish; with more than one worker, in processes of their own.

    `function` and the shards must be picklable. At most two shards a worker wait, so that memory is bounded.
    The first exception ends the run; shards that are finished stay finished.
    """
    if workers <= 1:
        yield from map(function, shards)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting, remaining = set(), iter(shards)
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
