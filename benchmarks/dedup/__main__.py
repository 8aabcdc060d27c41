"""Near-duplicates at 25,000 to 200,000 documents: time, memory, recall, false merges, beside other programs.

Sizes may be named: `python benchmarks/dedup 5000 10000`; `--quick` is 2,000 documents.
"""

import sys
from pathlib import Path

from measure import OURS, Bench, in_process, version

HERE = Path(__file__).parent
SIZES, QUICK = (25_000, 50_000, 100_000, 200_000), (2_000,)
PEER_SIZES = {"datatrove": 50_000}  # the largest size of a peer that takes minutes
PEERS = {"rensa": "rensa", "rensa flags": "rensa", "datasketch": "datasketch", "datatrove": "datatrove"}
SIGNED, SIGNATURES = 5_000, "signatures a second, from tokens"
LONG_SECONDS = 300  # a size is left out where the one before took longer
MEASURES = {
    "recall": "recall at J >= 0.80", "recall_0.80": "recall at 0.80 to 0.85", "recall_0.85": "recall at 0.85 to 0.90",
    "recall_0.90": "recall at 0.90 and more", "twins_merged": "share of number-twins merged",
}
OWN = {
    "sql_seconds": "seconds of SQL", "signatures_wall": "seconds of signatures",
    "verdicts_wall": "seconds of the guard", "pairs": "pairs verified", "giant_buckets": "giant buckets",
    "deleted": "documents deleted", "reviews": "pairs for review", "exact_pairs": "pairs by brute force",
    "exact_recall": "recall of brute force", "exact_precision": "precision by brute force",
}


def record(bench: Bench, system: str, n: int, found: dict) -> None:
    """Keep what a script printed."""
    bench.add("seconds", system, n, found["wall"])
    bench.add("documents a second", system, n, n / found["wall"])
    bench.add("documents a CPU second", system, n, n / found["cpu"])
    bench.add("peak GB", system, n, found["peak_bytes"] / 1e9)
    for name, measure in (MEASURES | OWN).items():
        if name in found:
            bench.add(measure, system, n, found[name])


def record_signatures(bench: Bench) -> None:
    """From tokens to signatures, at one size."""
    for name in (OURS, "rensa", "datasketch"):
        if name == OURS or version(name):
            found = in_process(HERE / "signatures.py", name, str(SIGNED))
            bench.add(SIGNATURES, name, SIGNED, found["rate"])


def aims(bench: Bench, sizes: tuple[int, ...]) -> dict[str, bool]:
    """What is to be reached, and whether it is."""
    small, large = sizes[0], max(one.size for one in bench.figures if one.system == OURS)

    def at_least(measure: str, wanted: float, size: int) -> bool:
        return (bench.value(measure, OURS, size) or 0) >= wanted

    growth = bench.growth("seconds", OURS)
    if growth is not None:
        bench.add("growth exponent of the seconds", OURS, None, growth)
        bench.add("growth exponent of the SQL", OURS, None, bench.growth("seconds of SQL", OURS))
    rensa = bench.value(SIGNATURES, "rensa", SIGNED)
    return {
        "signatures are made at two thirds of rensa's rate or more":
            rensa is None or bench.value(SIGNATURES, OURS, SIGNED) >= rensa / 1.5,
        "recall at J >= 0.80 is 0.99 or more": at_least("recall at J >= 0.80", 0.99, large),
        "recall against brute force is 0.99 or more": at_least("recall of brute force", 0.99, small),
        "every pair is one by brute force": at_least("precision by brute force", 1.0, small),
        "no number-twins are merged": bench.value("share of number-twins merged", OURS, large) == 0,
        "the time grows with an exponent of 1.25 at most": growth is None or growth <= 1.25,
        "4 GB are enough": (bench.value("peak GB", OURS, large) or 0) <= 4,
    }


def main(arguments: list[str]) -> int:
    """Run every system at every size; gives the exit code."""
    sizes = QUICK if arguments == ["--quick"] else tuple(map(int, arguments)) or SIZES
    bench, seconds = Bench("dedup"), 0.0
    record_signatures(bench)
    for n in sizes:
        if seconds > LONG_SECONDS:
            bench.add("seconds", OURS, n, "left out")
            continue
        found = in_process(HERE / "ours.py", str(n), *(["--checked"] if n == sizes[0] else []))
        seconds = found["wall"]
        record(bench, OURS, n, found)
    for name, package in PEERS.items():
        for n in sizes:
            if version(package) is None:
                bench.add("seconds", name, n, "not installed")
            elif n <= PEER_SIZES.get(name, n):
                record(bench, name, n, in_process(HERE / "peers.py", name, str(n)))
    return bench.finish(aims(bench, sizes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
