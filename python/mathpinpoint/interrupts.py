"""Ctrl-C while other libraries run in this process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def noted_interrupts() -> Iterator[list[int]]:
    """Collects each Ctrl-C of the block, which goes on as ever: code that swallows one cannot hide it."""
    seen: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: Any) -> None:
        seen.append(number)
        signal.default_int_handler(number, frame)

    is_ours = threading.current_thread() is threading.main_thread() and before is signal.default_int_handler
    if is_ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, before)
