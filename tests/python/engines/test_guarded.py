"""Guarded workers: order, hanging, dying and greedy items, and what is left of the rest."""

import ctypes
import threading
import time
from pathlib import Path

import pytest

from mathpinpoint.engines.guarded import Failure, guarded_map

LIMITS = {"seconds": 1.0, "memory_bytes": 300_000_000}


def work(item):
    """Do what the item says: hang, die, fill the memory, raise, or give twice its number."""
    kind, number = item
    if kind == "hang":
        time.sleep(60)
    if kind == "spin":
        while True:
            pass
    if kind == "die":
        ctypes.string_at(0)
    if kind == "fill":
        return len(bytearray(2_000_000_000))
    if kind == "raise":
        raise ValueError("not this one")
    if kind == "slow":
        time.sleep(0.05)
    return 2 * number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_keep_the_order_of_the_items(workers):
    items = [("slow" if number % 3 == 0 else "fine", number) for number in range(40)]
    results = list(guarded_map(work, items, workers=workers, **LIMITS))
    assert results == [2 * number for number in range(40)]


def test_only_the_culprit_fails():
    items = [
        ("fine", 1),
        ("hang", 2),
        ("fine", 3),
        ("die", 4),
        ("fill", 5),
        ("fine", 6),
        ("raise", 7),
        ("fine", 8),
    ]
    results = list(guarded_map(work, items, workers=1, **LIMITS))
    reasons = [result.reason if isinstance(result, Failure) else result for result in results]
    assert reasons == [2, "timeout", 6, "crashed", "memory", 12, "crashed", 16]
    assert results[6].detail == "ValueError: not this one"


def test_a_busy_loop_costs_its_limit_and_no_more():
    started = time.monotonic()
    results = list(guarded_map(work, [("spin", 1), ("fine", 2)], workers=1, **LIMITS))
    assert results[0].reason == "timeout" and results[1] == 4
    assert time.monotonic() - started < 30


def test_no_items_give_no_results():
    assert list(guarded_map(work, [], workers=2, **LIMITS)) == []


def children() -> set[str]:
    """PIDs of the processes that this thread started and that are still there."""
    listed = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    return set(listed.read_text().split()) if listed.exists() else set()


def test_an_abandoned_iteration_leaves_no_process():
    others = children()
    results = guarded_map(work, [("fine", n) for n in range(100)], workers=2, **LIMITS)
    assert next(results) == 0
    assert len(children() - others) == 2
    results.close()
    assert not children() - others
