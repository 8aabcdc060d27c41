"""Engines map a function over shards: `local` in processes of this machine, `ray` on a Ray cluster or Ray's own.

The shards, their rows and the names of their files are the same on every engine.
"""

import importlib
from collections.abc import Callable
from importlib.util import find_spec

ENGINES = ("local", "ray")
TRIES = 2  # of a shard whose process was killed
INSTALL = "pip install -c requirements.txt -e '.[ray]'"


class EngineError(ValueError):
    """What an engine lacks or lost, and the next command."""


def engine(name: str) -> Callable:
    """`map_shards(function, shards, *, workers)` of an engine.

    Raises EngineError where there is none of that name, or Ray is not installed.
    """
    if name not in ENGINES:
        raise EngineError(f"There is no engine {name!r}. Name one of {', '.join(ENGINES)} with --engine.")
    if name == "ray" and not find_spec("ray"):
        raise EngineError(f"Engine ray needs Ray, which is not installed. Run `{INSTALL}`, or use --engine local.")
    return importlib.import_module(f"mathpinpoint.engines.{name}").map_shards


def worker_lost() -> EngineError:
    """The error of a shard that lost its process in each of its tries."""
    return EngineError(
        f"The process of a shard was killed {TRIES} times, perhaps for want of memory; the other shards stay landed. "
        "Run the same command again with fewer --workers."
    )
