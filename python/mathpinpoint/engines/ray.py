"""Map a function over shards on Ray: the cluster that RAY_ADDRESS names, else processes on this machine."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mathpinpoint.engines import TRIES, worker_lost

OWN = ("MATHPINPOINT_", "HF_")  # prefixes of the settings that go to the workers


def map_shards(
    function: Callable[[Any], int], shards: Iterable[Any], *, workers: int
) -> Iterator[int]:
    """`function` of each shard, as they finish, `workers` shards at a time, each a task on one core.

    `function` and the shards must be picklable; `function` is put into the object store once. A task whose process
    is killed is tried again by Ray, and costs no other shard; raises EngineError where that one is killed, too. The
    first exception ends the run; shards that are finished stay. On a cluster every node must see the home folder.
    """
    import ray

    was_started = ray.is_initialized()
    if not was_started:
        start(workers)
    try:
        task = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_call)
        shared, remaining, waiting = ray.put(function), iter(shards), []
        while True:
            while len(waiting) < workers and (shard := next(remaining, None)) is not None:
                waiting.append(task.remote(shared, shard))
            if not waiting:
                return
            (done,), waiting = ray.wait(waiting, num_returns=1)
            yield _result(done)
    finally:
        if not was_started:
            ray.shutdown()


def start(workers: int) -> None:
    """Join the cluster that RAY_ADDRESS names; without one, start Ray on this machine, and nothing of it calls home."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    is_cluster = bool(os.environ.get("RAY_ADDRESS"))
    settings = {name: value for name, value in os.environ.items() if name.startswith(OWN)}
    ray.init(
        num_cpus=None if is_cluster else workers,
        include_dashboard=None if is_cluster else False,
        runtime_env={"env_vars": settings} if is_cluster else None,
        log_to_driver=False,
        logging_level="ERROR",
    )


def _call(function: Callable[[Any], int], shard: Any) -> int:
    return function(shard)


def _result(done: Any) -> int:
    """What a task gave; an exception of the function is raised as it was."""
    import ray

    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.WorkerCrashedError as error:
        raise worker_lost() from error
