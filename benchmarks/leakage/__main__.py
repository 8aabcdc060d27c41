"""Leaks of evaluation items into queries: precision, recall and time of each method, beside word n-gram overlap.

    make bench NAME=leakage                          the large fixture, the bounds of the encoders, the scale
    PYTHONPATH=benchmarks python benchmarks/leakage --fixture  the large fixture alone
    PYTHONPATH=benchmarks python benchmarks/leakage --quick    a twentieth of the fixture

Reads the evaluation sets and the problems of `shared/data` beside the project (MATHPINPOINT_SHARED names another).
"""

import json
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import bounds
import changes
import fixture
import home
import peers
from measure import OURS, Bench, clock

QUICK_STEP = 20
SCALE_QUERIES = 10_000
MIN_RECALL, MAX_UNRELATED, MAX_SECONDS = 0.98, 0.01, 60.0
Hits = dict[str, set[tuple[str, str]]]  # query name → items


def tally(bench: Bench, system: str, labelled: dict[str, fixture.Labelled], hits: Hits, texts: dict) -> None:
    """Keep a method's shares: copies whose own item is found, twins, problems that are no item."""
    total, right = Counter(one.kind for one in labelled.values()), Counter()
    by_set, of_set = Counter(), Counter()
    template = 0
    for name, one in labelled.items():
        items = hits.get(name, set())
        if one.item:
            right[one.kind] += one.item in items
            if one.kind in changes.COPIES:
                of_set[one.item[0]] += 1
                by_set[one.item[0]] += one.item in items
        elif items:
            right[one.kind] += 1
            template += all(fixture.is_twin(one.text, texts[item]) for item in items)
    for kind in (*changes.COPIES, "exact", *changes.TWINS):
        bench.add(f"found of {kind}", system, None, right[kind] / total[kind])
    copies = sum(right[kind] for kind in changes.COPIES)
    bench.add("recall of copies", system, None, copies / sum(total[kind] for kind in changes.COPIES))
    for eval_set in sorted(of_set):
        bench.add(f"recall of copies of {eval_set}", system, None, by_set[eval_set] / of_set[eval_set])
    wrong = right["unrelated"] - template
    bench.add("hits on problems of one template", system, None, template / total["unrelated"])
    bench.add("hits on unrelated problems", system, None, wrong / total["unrelated"])
    bench.add("precision", system, None, copies / max(copies + wrong, 1))


def compare(bench: Bench, step: int) -> None:
    """Our methods and their union, then the peers, on the labelled fixture."""
    known = {name: fixture.items(path) for name, path in fixture.SETS.items()}
    texts = {(name, item_id): text for name, some in known.items() for item_id, text in some.items()}
    labelled = fixture.labelled(known, step)
    queries = {name: one.text for name, one in labelled.items()}
    bench.add("queries", OURS, None, len(queries))
    bench.add("items", OURS, None, len(texts))
    with tempfile.TemporaryDirectory() as folder:
        found = home.found(Path(folder), queries, fixture.SETS)
    name_of = {home.page_id(name): name for name in queries}
    methods: dict[str, Hits] = defaultdict(lambda: defaultdict(set))
    for query_id, eval_set, item_id, method in found.hits:
        for one in (method, OURS):
            methods[one][name_of[query_id]].add((eval_set, item_id))
    for method in ("equality", "canonical", "jaccard5", "lcs", OURS):
        tally(bench, method, labelled, methods[method], texts)
    keep_seconds(bench, found, None)
    for peer, size in peers.SIZES.items():
        with clock() as spent:
            hits: Hits = defaultdict(set)
            for name, item in peers.hits(queries, texts, size):
                hits[name].add(item)
        tally(bench, peer, labelled, hits, texts)
        bench.add("seconds of all steps", peer, None, spent.wall)


def keep_seconds(bench: Bench, found: home.Found, size: int | None) -> None:
    bench.add("pairs overlapped", OURS, size, found.n_pairs)
    for step in ("forms", "overlaps", "decision"):
        bench.add(f"seconds of {step}", OURS, size, getattr(found, step).wall)
    bench.add("seconds of all steps", OURS, size, sum(
        getattr(found, step).wall for step in ("forms", "overlaps", "decision")
    ))


def scale(bench: Bench) -> None:
    """Changed copies against the 5,000 problems of the test set of MATH as one evaluation set."""
    known = {name: fixture.items(path) for name, path in fixture.SETS.items()}
    labelled = fixture.labelled(known, 1)
    queries = {name: one.text for name, one in list(labelled.items())[:SCALE_QUERIES]}
    with tempfile.TemporaryDirectory() as folder:
        items = Path(folder) / "items.jsonl"
        rows = [json.loads(line) for line in fixture.PROBLEMS.read_text(encoding="utf-8").splitlines()]
        items.write_text("".join(json.dumps({"problem": row["problem"]}) + "\n" for row in rows), encoding="utf-8")
        found = home.found(Path(folder) / "home", queries, {"math": items})
    keep_seconds(bench, found, len(queries))


def main(arguments: list[str]) -> int:
    is_quick, is_whole = "--quick" in arguments, not arguments
    if not fixture.is_there():
        print(f"{fixture.DATA} lacks the evaluation sets. Name a folder that has them with MATHPINPOINT_SHARED.")
        return 2
    bench = Bench("leakage")
    compare(bench, QUICK_STEP if is_quick else 1)
    if is_whole:
        bounds.measure(bench)
        scale(bench)
    size = SCALE_QUERIES if is_whole else None
    return bench.finish({
        f"{MIN_RECALL:.0%} of the changed copies are found": bench.value("recall of copies", OURS) >= MIN_RECALL,
        f"at most {MAX_UNRELATED:.0%} of the unrelated problems are hit":
            bench.value("hits on unrelated problems", OURS) <= MAX_UNRELATED,
        "every item of math500 is found in the test set of MATH": bench.value("found of exact", OURS) == 1,
        f"all steps take {MAX_SECONDS:.0f} seconds at most":
            bench.value("seconds of all steps", OURS, size) <= MAX_SECONDS,
    })


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
