"""The lexical routes beside their peers: queries per CPU second, index build, memory, exactness.

    make bench NAME=retrieval                                   25k, 50k, 100k and 200k documents
    PYTHONPATH=benchmarks python benchmarks/retrieval 2000      other sizes

Each system runs in a process of its own, on one thread, over the same documents (`corpus.py`).
"""

import sys
from pathlib import Path

from measure import OURS, Bench, in_process, version

SIZES = (25_000, 50_000, 100_000, 200_000)
RUN = Path(__file__).with_name("run.py")
LENGTHS = ("15-30", "50-70", "110-220")  # tokens of a query
BM25 = {OURS: None, "bm25s": "bm25s", "tantivy": "tantivy"}
NGRAM5 = (OURS, "sql join")
DENSE = (OURS, "numpy")
AIMS = {"bm25s": 3.0, "tantivy": 2.0}
MAX_ERROR, MAX_GROWTH = 1e-4, 1.1


def measured(bench: Bench, route: str, system: str, size: int) -> None:
    """All figures of one system at one size."""
    found = in_process(RUN, route, system, str(size))
    for measure, value in found.items():
        if measure != "peak_bytes":
            bench.add(f"{route}: {measure}", system, size, value)
    bench.add(f"{route}: peak memory, MiB", system, size, round(found["peak_bytes"] / 2**20))


def main(sizes: list[int]) -> int:
    bench = Bench("retrieval")
    for name in BM25.values():
        if name:
            bench.add("version", name, None, version(name) or "not installed")
    for size in sizes:
        for system, package in BM25.items():
            if package is None or version(package):
                measured(bench, "bm25", system, size)
        measured(bench, "bm25 checked", OURS, size)
        for route, systems in (("ngram5", NGRAM5), ("dense", DENSE)):
            for system in systems:
                measured(bench, route, system, size)
    return bench.finish(aims(bench, sizes))


def aims(bench: Bench, sizes: list[int]) -> dict[str, bool]:
    """What is to be reached, and whether it is, at the size nearest to 100,000 documents."""
    size = min(sizes, key=lambda one: abs(one - 100_000))
    reached = {}

    def ratio(measure: str, peer: str) -> float | None:
        ours, theirs = bench.value(measure, OURS, size), bench.value(measure, peer, size)
        if ours is None or not theirs:
            return None
        bench.add(f"{measure}: ratio to {peer}", OURS, size, ours / theirs)
        return ours / theirs

    for peer, least in AIMS.items():
        found = ratio(f"bm25: queries of {LENGTHS[1]} tokens a CPU second", peer)
        if found is not None:
            reached[f"bm25 at least {least} times as fast as {peer}, {size:,} documents"] = found >= least
    for measure in ("bm25: CPU seconds to build the index", "bm25: peak memory, MiB"):
        found = ratio(measure, "bm25s")
        if found is not None:
            reached[f"{measure} no more than bm25s"] = found <= 1.0
    worst = bench.value("bm25 checked: largest relative error to float64", OURS, size)
    reached[f"bm25 within {MAX_ERROR} of float64"] = worst is not None and worst <= MAX_ERROR
    found = ratio("ngram5: queries a CPU second", "sql join")
    reached["ngram5 at least 10 times as fast as the SQL join"] = found is not None and found >= 10
    reached["ngram5 equal to the SQL join"] = bench.value("ngram5: lists equal to SQL's", OURS, size) == 1.0
    reached["dense equal to brute force"] = bench.value("dense: lists equal to float64's", OURS, size) == 1.0
    for route in ("bm25", "ngram5", "dense"):
        growth = bench.growth(f"{route}: CPU seconds of 1,000 queries", OURS)
        if growth is not None:
            bench.add(f"{route}: growth exponent with documents", OURS, None, growth)
            reached[f"{route}'s time grows with an exponent of at most {MAX_GROWTH}"] = growth <= MAX_GROWTH
    return reached


if __name__ == "__main__":
    sys.exit(main([int(text) for text in sys.argv[1:]] or list(SIZES)))
