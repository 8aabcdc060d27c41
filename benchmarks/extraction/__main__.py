"""Extraction beside its peers: formulas kept, words kept, boilerplate left, seconds of CPU, MathML there and back.

Usage: make bench NAME=extraction (or, with `--quick`, on few pages and formulas).
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from extraction import cases, recall, roundtrip
from extraction.systems import SYSTEMS, Extractor
from measure import DATA, OURS, Bench, in_process

SIZES = {False: {"pages": 120, "formulas": 1500, "repeats": 3}, True: {"pages": 50, "formulas": 100, "repeats": 1}}
ABSENT = "not installed"
KEPT_AIM, ROUND_TRIP_AIM, TIME_AIM = 0.97, 0.98, 0.5
GENERATORS = {"KaTeX": roundtrip.katex, "latex2mathml": roundtrip.latex2mathml, "pandoc": roundtrip.pandoc}
CONVERTERS = {OURS: lambda: roundtrip.ours, "mathml-to-latex": roundtrip.mathml_to_latex_peer}


def main(*, quick: bool) -> int:
    """Measure everything that is installed; gives 1 where an aim is missed."""
    bench, sizes = Bench("extraction"), SIZES[quick]
    with tempfile.TemporaryDirectory() as folder:
        sets = {"sample web": cases.sample_cases(Path(folder) / "web", sizes["pages"], seed=5)}
        if (DATA / "pages").is_dir():
            sets["real pages"] = cases.real_cases(DATA / "pages")
        if not quick and (documentation := cases.documentation_cases(least=3)):
            sets["documentation"] = documentation
        for system, make in SYSTEMS.items():
            extract = _installed(make)
            for name, pages in sets.items():
                _kept(bench, system, extract, name, pages)
        _speed(bench, sets, Path(folder), sizes["repeats"])
    problems = DATA / "problems" / "math_test.jsonl"
    if problems.is_file():
        _round_trips(bench, roundtrip.formulas(problems, sizes["formulas"]))
    return bench.finish(_reached(bench))


def _installed(make: Callable) -> Callable | None:
    try:
        return make()
    except (ImportError, OSError):
        return None


def _kept(bench: Bench, system: str, extract: Extractor | None, name: str, pages: list[cases.Case]) -> None:
    """Formulas of a set of pages that a system keeps, and of the text that is known."""
    n_formulas = sum(len(page.formulas) for page in pages)
    if extract is None:
        bench.add(f"formulas kept, {name}", system, n_formulas, ABSENT)
        return
    shares, n_lost = [], 0
    for page in pages:
        output = extract(page.raw)
        lost = recall.lost_formulas(page, output)
        n_lost += len(lost)
        if page.text:
            shares.append(recall.kept_and_left(page.text, output))
        for formula in lost if system == OURS else []:
            print(f"    lost of {page.name}: {formula[:100]}")
    bench.add(f"formulas kept, {name}", system, n_formulas, 1 - n_lost / n_formulas)
    if shares:
        bench.add(f"words kept, {name}", system, len(pages), statistics.fmean(kept for kept, _ in shares))
        bench.add(f"boilerplate left, {name}", system, len(pages), statistics.fmean(left for _, left in shares))


def _speed(bench: Bench, sets: dict[str, list[cases.Case]], folder: Path, repeats: int) -> None:
    """Pages of each set per second of CPU, every system in a process of its own."""
    for name, pages in sets.items():
        raw = folder / name.replace(" ", "_")
        raw.mkdir()
        for number, page in enumerate(pages):
            (raw / f"{number:04}.html").write_bytes(page.raw)
        times = {}
        for system, make in SYSTEMS.items():
            if _installed(make) is None:
                bench.add(f"pages per CPU second, {name}", system, len(pages), ABSENT)
                continue
            found = in_process(Path(__file__).with_name("speed.py"), system, str(raw), str(repeats))
            times[system] = found["medians"]
            bench.add(f"pages per CPU second, {name}", system, len(pages), len(pages) / found["seconds"])
        for system, medians in times.items():
            ratios = [ours / theirs for ours, theirs in zip(times[OURS], medians, strict=True) if theirs > 0]
            if system != OURS and ratios:
                bench.add(f"our time by theirs, median page, {name}", system, len(pages), statistics.median(ratios))
                bench.add(f"our time by theirs, all pages, {name}", system, len(pages), sum(times[OURS]) / sum(medians))


def _round_trips(bench: Bench, formulas: list[str]) -> None:
    """LaTeX to MathML, to LaTeX by each converter, to MathML: the share that is the same MathML again."""
    for generator_name, make in GENERATORS.items():
        generate = _installed(make)
        for converter_name, make_converter in CONVERTERS.items():
            convert = _installed(make_converter)
            measure = f"round trips, {generator_name}"
            if generate is None or convert is None:
                bench.add(measure, converter_name, len(formulas), ABSENT)
                continue
            first = [source for source in generate(formulas) if source]
            second = generate([_converted(convert, source) for source in first])
            for is_strict, name in ((False, measure), (True, f"{measure}, spacing and style too")):
                same = sum(
                    roundtrip.canonical(before, is_strict=is_strict) == roundtrip.canonical(after, is_strict=is_strict)
                    for before, after in zip(first, second, strict=True) if after
                )
                bench.add(name, converter_name, len(first), same / len(first))


def _converted(convert: roundtrip.Converter, source: str) -> str:
    try:
        return convert(roundtrip.without_annotation(source))
    except Exception:  # a peer that fails on a formula has lost it
        return r"\text{failed}"


def _reached(bench: Bench) -> dict[str, bool]:
    """The aims, of those figures that could be measured."""
    aims = {}
    for one in bench.figures:
        if isinstance(one.value, str) or one.value is None:
            continue
        if one.system == OURS and one.measure == "formulas kept, real pages":
            aims[f"{KEPT_AIM:.0%} or more of the formulas of real pages"] = one.value >= KEPT_AIM
        if one.system == OURS and one.measure in [f"round trips, {name}" for name in GENERATORS]:
            aims[f"{ROUND_TRIP_AIM:.0%} or more of the {one.measure}"] = one.value >= ROUND_TRIP_AIM
        if one.system == "trafilatura" and one.measure.startswith("our time by theirs, median page"):
            name = one.measure.rsplit(", ", 1)[1]
            aims[f"half of trafilatura's time or less on the median page, {name}"] = one.value <= TIME_AIM
    return aims


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="few pages and formulas, once")
    sys.exit(main(quick=parser.parse_args().quick))
