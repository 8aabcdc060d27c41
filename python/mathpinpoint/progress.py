"""Progress of the stages: a bar with rate and ETA on a terminal, one line a stage elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def plain(text: str) -> str:
    """The text with blanks for what a terminal would obey: controls, escapes, marks of direction; lines stay."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


class Reporter:
    """Says what the stages do; `quiet` says nothing."""

    def __init__(self, console: Console, *, quiet: bool = False):
        self.console, self.quiet = console, quiet

    def say(self, text: str) -> None:
        if not self.quiet:
            self.console.print(plain(text), highlight=False, markup=False, emoji=False)

    @contextmanager
    def stage(self, name: str, total: int | None, unit: str) -> Iterator["Counter"]:
        """A stage that counts `unit`s; `total` None where nobody knows it."""
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        is_live = self.console.is_terminal and not self.quiet
        with Progress(*columns, console=self.console, transient=True, disable=not is_live) as bar:
            task = bar.add_task(name, total=total, rate="")
            counter = Counter(bar, task, unit)
            yield counter
        self.say(f"  {name}: {counter.summary()}")


class Counter:
    """What a stage has done so far."""

    def __init__(self, bar: Progress, task, unit: str):
        self._bar, self._task, self._unit = bar, task, unit
        self._start, self.done, self.note = time.monotonic(), 0, ""

    def add(self, count: int) -> None:
        self.set(self.done + count)

    def set(self, done: int) -> None:
        self.done = done
        self._bar.update(self._task, completed=done, rate=self._rate())

    def tokens(self, done: int, total: int, tokens) -> None:
        """Progress of requests: how many are answered, and the tokens that they used."""
        self.set(done)
        self.note = f", {tokens.prompt + tokens.completion:,} tokens"

    def _rate(self) -> str:
        seconds = max(time.monotonic() - self._start, 1e-9)
        return f"{self.done / seconds:,.1f} {self._unit}/s"

    def summary(self) -> str:
        seconds = time.monotonic() - self._start
        return f"{self.done:,} {self._unit} in {seconds:.1f} s ({self._rate()}){self.note}"
