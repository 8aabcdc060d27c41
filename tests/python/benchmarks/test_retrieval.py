"""The benchmark of the routes, over a small corpus."""

import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPO / "benchmarks"))
measure = pytest.importorskip("measure")
RUN = REPO / "benchmarks" / "retrieval" / "run.py"
SIZE = "600"


@pytest.mark.parametrize("route", ["bm25", "ngram5", "dense"])
def test_each_route_gives_its_figures(route):
    found = measure.in_process(RUN, route, measure.OURS, SIZE)
    assert found["CPU seconds of 1,000 queries"] > 0 and found["peak_bytes"] > 1e7


def test_the_scores_are_those_of_the_formula_and_the_lists_those_of_sql():
    checked = measure.in_process(RUN, "bm25 checked", measure.OURS, SIZE)
    assert 0 < checked["largest relative error to float64"] < 1e-4
    assert checked["overlap with float64's top 100"] == pytest.approx(1.0, abs=1e-3)
    assert measure.in_process(RUN, "ngram5", measure.OURS, SIZE)["lists equal to SQL's"] == 1.0
    assert measure.in_process(RUN, "dense", measure.OURS, SIZE)["lists equal to float64's"] == 1.0
