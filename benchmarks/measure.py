"""What every benchmark shares: seconds, memory, growth, the printed table and the file of figures.

A benchmark is a folder `benchmarks/<name>/` with a `__main__.py`; `make bench NAME=<name>` installs what its
`requirements.txt` names (the peers) and runs it. It prints a table and writes `build/bench/<name>.json`, a list of
`{"measure": …, "system": …, "size": …, "value": …}`; our own system is called `mathpinpoint`.
"""

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

OURS = "mathpinpoint"
FOLDER = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("MATHPINPOINT_DATA", FOLDER.parent / "shared" / "data"))


@dataclass(frozen=True)
class Figure:
    """One measured value. `size` is the number of inputs; null where the measure has none."""

    measure: str
    system: str
    size: int | None
    value: float | str | None  # text says why there is no number: 'not installed'


@dataclass
class Clock:
    """Seconds that passed, and seconds of CPU of this process and of the children it waited for."""

    wall: float = 0.0
    cpu: float = 0.0


@dataclass
class Bench:
    """The figures of one run of one benchmark."""

    name: str
    figures: list[Figure] = field(default_factory=list)

    def add(self, measure: str, system: str, size: int | None, value: float | str | None) -> None:
        """Keep a figure, and print it at once: a run that is cut off has said what it knew."""
        self.figures.append(Figure(measure, system, size, value))
        print(f"  {measure} | {system} | {'' if size is None else f'{size:,}'} | {shown(value)}", flush=True)

    def value(self, measure: str, system: str, size: int | None = None) -> float | None:
        """A figure that is there as a number, else null."""
        for one in self.figures:
            if (one.measure, one.system, one.size) == (measure, system, size) and isinstance(one.value, float | int):
                return one.value
        return None

    def growth(self, measure: str, system: str) -> float | None:
        """The exponent e of value ~ size^e, by least squares over the logarithms; of three sizes or more."""
        points = [
            (math.log(one.size), math.log(one.value)) for one in self.figures
            if (one.measure, one.system) == (measure, system) and one.size and isinstance(one.value, float | int)
            and one.value > 0
        ]
        if len(points) < 3:
            return None
        x_mean = sum(x for x, _ in points) / len(points)
        y_mean = sum(y for _, y in points) / len(points)
        return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)

    def finish(self, reached: dict[str, bool]) -> int:
        """Print the table, write the file, say which aims are met; gives the exit code (0: all of them)."""
        print(f"\n{table(self.figures)}\n")
        for aim, is_met in reached.items():
            print(f"{'reached' if is_met else 'MISSED '}  {aim}")
        target = Path(os.environ.get("MATHPINPOINT_FIGURES") or FOLDER / "build" / "bench") / f"{self.name}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps([asdict(one) for one in self.figures], indent=1) + "\n", encoding="utf-8")
        print(f"\nFigures: {target}")
        return 0 if all(reached.values()) else 1


@contextmanager
def clock() -> Iterator[Clock]:
    """Measure a block; the clock's seconds are there when the block ends."""
    seen = Clock()
    wall, cpu = time.perf_counter(), _cpu()
    yield seen
    seen.wall, seen.cpu = time.perf_counter() - wall, _cpu() - cpu


def _cpu() -> float:
    return sum(
        used.ru_utime + used.ru_stime
        for used in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def in_process(script: Path, *arguments: str) -> dict[str, Any]:
    """Run a script in a process of its own; it prints one JSON object as its last line.

    Adds `peak_bytes`, the most memory that the process held; raises with its output where it fails.
    """
    command = [sys.executable, str(script), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{script.name} {' '.join(arguments)} ended with {process.returncode}\n{err[-3000:]}")
    return json.loads(out.splitlines()[-1]) | {"peak_bytes": used.ru_maxrss * 1024}


def version(package: str) -> str | None:
    """The installed version of a peer, or null."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def shown(value: float | str | None) -> str:
    """A value as the table prints it."""
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else value


def table(figures: list[Figure]) -> str:
    """One line per measure and size, one column per system."""
    systems = list(dict.fromkeys(one.system for one in figures))
    values = {(one.measure, one.size, one.system): shown(one.value) for one in figures}
    lines = [["measure", "size", *systems]]
    for measure, size in dict.fromkeys((one.measure, one.size) for one in figures):
        cells = [values.get((measure, size, system), "") for system in systems]
        lines.append([measure, "" if size is None else f"{size:,}", *cells])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([rows[0], "  ".join("-" * width for width in widths), *rows[1:]])
