"""Seconds of CPU that one extractor takes for each page of a folder; a process of its own.

Usage: python speed.py SYSTEM FOLDER REPEATS. Prints a JSON object: the median seconds of each page, in the order of
the files' names, and the sum of them.
"""

import json
import statistics
import sys
from pathlib import Path

from extraction.systems import SYSTEMS
from measure import clock


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
    """CPU of this process and of the children that it waited for."""
    with clock() as seen:
        extract(raw)
    return seen.cpu


if __name__ == "__main__":
    main(*sys.argv[1:])
