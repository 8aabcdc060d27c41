"""The benchmark of extraction: what it counts, and a run at a small size."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(FOLDER / "benchmarks"))
PEERS = ("pykatex", "latex2mathml", "mathml_to_latex", "trafilatura", "readability", "justext", "pypandoc")
needs_peers = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in PEERS), reason="the peers are not installed"
)
recall = pytest.importorskip("extraction.recall")
roundtrip = pytest.importorskip("extraction.roundtrip")
cases = pytest.importorskip("extraction.cases")


@pytest.mark.parametrize(
    ("output", "lost"),
    [
        (r"Let \(x^2 + 1\) be, and \[\frac{1}{2}\]", []),
        ("Let $x^{2}+1$ be, and $$\\frac{1}{2}$$", []),
        ("Let $x^{2}+1$ be.", [r"\frac{1}{2}"]),
        ("Let x2+1 be, and 12.", ["x^2+1", r"\frac{1}{2}"]),
    ],
)
def test_a_formula_is_kept_whatever_its_delimiters_and_spaces(output, lost):
    case = cases.Case("page", cases.TEX, b"", ("x^2+1", r"\frac{1}{2}"))
    assert sorted(recall.lost_formulas(case, output)) == sorted(lost)


def test_a_formula_that_stands_twice_must_be_kept_twice():
    case = cases.Case("page", cases.TEX, b"", ("x_1", "x_1", "a + x_1"))
    assert recall.lost_formulas(case, "$x_1$ and $x_1$") == ["a + x_1"]
    assert recall.lost_formulas(case, "$a+x_1$ and $x_1$") == ["x_1"]


def test_asciimath_is_kept_word_for_word_or_not_at_all():
    case = cases.Case("page", cases.ASCIIMATH, b"", ("1/n^2", "sqrt(x)"))
    assert recall.lost_formulas(case, r"$1/n^2$ and $\frac{1}{n}$ and $\sqrt{x}$") == ["sqrt(x)"]


@pytest.mark.parametrize(
    ("mathml", "is_same"),
    [("<mrow><mi>x</mi><mrow><mo>+</mo><mn>1</mn></mrow></mrow><mspace width='1em'/>", True),
     ("<mi>x</mi><mo>+</mo><mn>1</mn>", True), ("<mi>x</mi><mo>-</mo><mn>1</mn>", False),
     ("<msup><mi>x</mi><mo>+</mo></msup><mn>1</mn>", False),
     ("<mi mathvariant='bold'>x</mi><mo>+</mo><mn>1</mn>", False)],
)
def test_canonical_mathml_knows_groups_and_spacing_from_structure(mathml, is_same):
    plain = roundtrip.canonical("<math><mi>x</mi><mo>+</mo><mn>1</mn></math>")
    assert (roundtrip.canonical(f"<math>{mathml}</math>") == plain) is is_same


@needs_peers
def test_the_benchmark_runs_at_a_small_size(figures_folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (FOLDER / "python", FOLDER / "benchmarks")))}
    command = [sys.executable, FOLDER / "benchmarks" / "extraction", "--quick"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "Figures: " in done.stdout, done.stderr
    figures = json.loads((figures_folder / "extraction.json").read_text())
    value = {(one["measure"], one["system"]): one["value"] for one in figures}
    assert value["formulas kept, sample web", "mathpinpoint"] >= 0.97
    assert value["round trips, KaTeX", "mathpinpoint"] >= 0.98
    assert value["formulas kept, sample web", "trafilatura"] < value["formulas kept, sample web", "mathpinpoint"]
