"""Seconds of CPU that one extractor takes for each page of a folder; a process of its own.

Usage: python speed.py SYSTEM FOLDER REPEATS. Prints a JSON object: the median seconds of each page, in the order of
the files' names, and the sum of them.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from extraction.systems import SYSTEMS


def main(system: str, folder: str, repeats: str) -> None:
    """Extract each page once to warm up, then `repeats` times."""
    extract = SYSTEMS[system]()
    medians = []
    for path in sorted(Path(folder).iterdir()):
        raw = path.read_bytes()
        extract(raw)
        medians.append(statistics.median(_seconds(extract, raw) for _ in range(int(repeats))))
    print(json.dumps({"medians": medians, "seconds": sum(medians)}))


def _seconds(extract, raw: bytes) -> float:
    """CPU of this process; pandoc runs in a child, whose seconds are those on the wall."""
    started, wall = time.process_time(), time.perf_counter()
    extract(raw)
    return max(time.process_time() - started, (time.perf_counter() - wall) if extract.__module__ == "pandoc" else 0.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
