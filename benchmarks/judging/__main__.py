"""CPU of a client process a request: the judge's loader, which keeps every reply, beside a bare loop over the SDK.

    make bench NAME=judging                            4,000 requests a run
    PYTHONPATH=benchmarks python benchmarks/judging --quick  two runs of 300

Both send the same bodies to the same server, as many at a time, in runs that alternate; the smallest of each counts.
"""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from measure import OURS, Bench, in_process

HERE = Path(__file__).resolve().parent
REQUESTS, CONCURRENCY, ROUNDS = 4000, 64, 5
QUICK = 300
SERVER_SECONDS = 0.05
MOST_OVERHEAD = 0.25
BARE = "bare openai loop"


@contextmanager
def server():
    """A stub server; gives its port and a function that says how many requests came since it was last asked."""
    command = [sys.executable, str(HERE / "stub.py"), str(SERVER_SECONDS)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def counted() -> int:
        process.stdin.write("\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    try:
        yield int(process.stdout.readline()), counted
    finally:
        process.stdin.close()
        process.wait()


def main(number: int, rounds: int) -> int:
    bench, found = Bench("judging"), {"ours": [], "bare": []}
    with server() as (port, counted):
        for _ in range(rounds):
            for system, runs in found.items():
                runs.append(in_process(HERE / "client.py", system, str(port), str(number), str(CONCURRENCY)))
                if (seen := counted()) != number:
                    raise RuntimeError(f"{system}: the server saw {seen:,} requests, not {number:,}")
    for system, name in (("ours", OURS), ("bare", BARE)):
        cpu, wall = (min(run[kind] for run in found[system]) for kind in ("cpu", "wall"))
        bench.add("CPU milliseconds a request", name, number, 1000 * cpu / number)
        bench.add("requests a second, one process", name, number, number / wall)
    overhead = bench.value("CPU milliseconds a request", OURS, number) / bench.value(
        "CPU milliseconds a request", BARE, number
    ) - 1
    bench.add("CPU above the bare loop, %", OURS, number, 100 * overhead)
    return bench.finish({f"at most {MOST_OVERHEAD:.0%} CPU above the bare loop": overhead <= MOST_OVERHEAD})


if __name__ == "__main__":
    sys.exit(main(QUICK, 1) if "--quick" in sys.argv else main(REQUESTS, ROUNDS))
