"""From files to `corpus.documents` and `queries.queries`: seconds by stage, memory, growth with the number of pages.

    make bench NAME=pages                             2,500, 5,000 and 10,000 pages
    PYTHONPATH=benchmarks python benchmarks/pages 300   other sizes

The LLM is the sample's server in a process of its own; it is part of the seconds and of the memory.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from measure import OURS, Bench

SIZES = (2500, 5000, 10000)
MAX_SECONDS, MAX_BYTES, MAX_GROWTH = 600, 4 * 2**30, 1.2
RUN = Path(__file__).with_name("run.py")


def held(process: psutil.Process) -> int:
    """Bytes that a process and its children hold; memory they share is counted once for each that has it."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        try:
            total += one.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def measured(size: int) -> dict:
    """Run one size in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.Popen(
            [sys.executable, str(RUN), folder, str(size)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        told: list[str] = []
        readers = [
            threading.Thread(target=lambda: told.append(run.stdout.read())),
            threading.Thread(target=lambda: told.append(run.stderr.read())),
        ]
        for reader in readers:
            reader.start()
        most = 0
        while run.poll() is None:
            most = max(most, held(psutil.Process(run.pid))) if psutil.pid_exists(run.pid) else most
            time.sleep(0.5)
        for reader in readers:
            reader.join()
        if run.returncode:
            raise RuntimeError("\n".join(told)[-4000:])
        lines = [line for text in told for line in text.splitlines() if line.startswith('{"seconds"')]
        return json.loads(lines[-1]) | {"peak_bytes": most}


def main(sizes: list[int]) -> int:
    bench = Bench("pages")
    for size in sizes:
        found = measured(size)
        for stage, seconds in found["seconds"].items():
            bench.add(f"seconds of {stage}", OURS, size, round(seconds, 1))
        bench.add("seconds", OURS, size, round(sum(found["seconds"].values()), 1))
        bench.add("seconds of them in dbt", OURS, size, round(found["dbt_seconds"], 1))
        bench.add("peak memory, MiB", OURS, size, round(found["peak_bytes"] / 2**20))
        for name in ("documents", "queries", "requests"):
            bench.add(name, OURS, size, found[name])
    largest = max(sizes)
    growth = bench.growth("seconds", OURS)
    if growth is not None:
        bench.add("growth exponent of seconds", OURS, None, growth)
    aims = {
        f"{largest:,} pages in less than {MAX_SECONDS} s": bench.value("seconds", OURS, largest) < MAX_SECONDS,
        "under 4 GiB": bench.value("peak memory, MiB", OURS, largest) * 2**20 < MAX_BYTES,
    }
    if growth is not None:
        aims[f"growth exponent at most {MAX_GROWTH}"] = growth <= MAX_GROWTH
    return bench.finish(aims)


if __name__ == "__main__":
    sys.exit(main([int(text) for text in sys.argv[1:]] or list(SIZES)))
