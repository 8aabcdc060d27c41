"""How much of a page's question goes and how much else goes with it, beside other ways to find it.

`python benchmarks/removal [PROBLEMS | --quick]`: seven pages are made of each problem.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from layouts import Page, pages  # noqa: E402
from measure import DATA, OURS, Bench, clock  # noqa: E402
from removers import REMOVERS, Spans  # noqa: E402

from mathpinpoint.compute.normalize import match_spans  # noqa: E402

PROBLEMS, QUICK = 120, 12
LEAST_REMOVED, MOST_LOST = 0.99, 0.001


@dataclass
class Count:
    """Match tokens of the pages of one layout, and pages from which the question goes and nothing else."""

    asked: int = 0
    removed: int = 0
    others: int = 0
    lost: int = 0
    n_pages: int = 0
    n_right: int = 0

    def add(self, page: Page, cut: Spans) -> None:
        before = (self.asked - self.removed, self.lost)
        for token, start, end in match_spans(page.text):
            if token == ">":
                continue
            is_asked = any(first <= start and end <= last for first, last in page.spans)
            is_cut = any(first <= start and end <= last for first, last in cut)
            self.asked, self.removed = self.asked + is_asked, self.removed + (is_asked and is_cut)
            self.others, self.lost = self.others + (not is_asked), self.lost + (not is_asked and is_cut)
        self.n_pages += 1
        self.n_right += before == (self.asked - self.removed, self.lost)


def measure(bench: Bench, made: list[Page]) -> None:
    """Add the shares of every remover: over all pages, and ours by layout."""
    seconds = {}
    for name, remove in REMOVERS.items():
        with clock() as seen:
            cuts = [remove(page.text, page.question) for page in made]
        seconds[name] = seen.cpu
        counts: dict[str, Count] = {}
        for page, cut in zip(made, cuts, strict=True):
            counts.setdefault(page.layout, Count()).add(page, cut)
            counts.setdefault("all", Count()).add(page, cut)
        for layout, count in sorted(counts.items(), key=lambda one: one[0] == "all"):
            size = count.n_pages
            bench.add(f"{layout}: question tokens removed, %", name, size, 100 * count.removed / count.asked)
            bench.add(f"{layout}: other tokens lost, %", name, size, 100 * count.lost / count.others)
            bench.add(f"{layout}: pages fully right, %", name, size, 100 * count.n_right / count.n_pages)
    for name in REMOVERS:
        bench.add("processor time, rapidfuzz = 1", name, len(made), seconds[name] / seconds["rapidfuzz partial_ratio"])


def main(arguments: list[str]) -> int:
    path = DATA / "problems" / "math_test.jsonl"
    if not path.exists():
        print(f"There is no {path}: a JSONL file of `problem` and `solution`. Set MATHPINPOINT_DATA to its folder.")
        return 2
    numbers = [int(one) for one in arguments if one.isdigit()]
    n_problems = QUICK if "--quick" in arguments else numbers[0] if numbers else PROBLEMS
    bench = Bench("removal")
    made = list(pages(path, n_problems))
    measure(bench, made)
    removed = bench.value("all: question tokens removed, %", OURS, len(made))
    lost = bench.value("all: other tokens lost, %", OURS, len(made))
    return bench.finish({
        f"at least {LEAST_REMOVED:.0%} of the question's tokens go": removed >= 100 * LEAST_REMOVED,
        f"at most {MOST_LOST:.1%} of the other tokens go": lost <= 100 * MOST_LOST,
    })


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
