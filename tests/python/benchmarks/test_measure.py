"""What the benchmarks share: growth, the table, the file of figures."""

import json
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPO / "benchmarks"))
measure = pytest.importorskip("measure")


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "FOLDER", tmp_path)
    return measure.Bench("trial")


def test_growth_is_the_exponent_of_a_power_law(bench):
    for size in (100, 200, 400, 800):
        bench.add("seconds", "ours", size, 3.0 * size**1.25)
        bench.add("seconds", "flat", size, 2.0)
    assert bench.growth("seconds", "ours") == pytest.approx(1.25)
    assert bench.growth("seconds", "flat") == pytest.approx(0.0)


def test_two_sizes_or_a_peer_that_is_not_there_give_no_growth(bench):
    for size in (100, 200):
        bench.add("seconds", "ours", size, 1.0 * size)
    for size in (100, 200, 400):
        bench.add("seconds", "peer", size, "not installed")
    assert bench.growth("seconds", "ours") is None and bench.growth("seconds", "peer") is None
    assert bench.value("seconds", "peer", 100) is None and bench.value("seconds", "ours", 200) == 200.0


def test_the_file_holds_every_figure_and_the_exit_code_says_whether_the_aims_are_met(bench, tmp_path, monkeypatch):
    monkeypatch.delenv("MATHPINPOINT_FIGURES")
    bench.add("seconds", measure.OURS, 10, 1.5)
    bench.add("seconds", "peer", 10, "not installed")
    assert bench.finish({"fast": True}) == 0 and bench.finish({"fast": True, "small": False}) == 1
    assert json.loads((tmp_path / "build" / "bench" / "trial.json").read_text()) == [
        {"measure": "seconds", "system": "mathpinpoint", "size": 10, "value": 1.5},
        {"measure": "seconds", "system": "peer", "size": 10, "value": "not installed"},
    ]


def test_the_table_has_a_line_for_each_measure_and_size(bench):
    for system, size, value in (("ours", 10, 1.0), ("peer", 10, 2.0), ("ours", 20, 1234567.0)):
        bench.add("seconds", system, size, value)
    lines = measure.table(bench.figures).splitlines()
    assert lines[0].split() == ["measure", "size", "ours", "peer"]
    assert lines[2].split() == ["seconds", "10", "1", "2"] and lines[3].split() == ["seconds", "20", "1,234,567"]


def test_a_script_that_fails_is_named_with_what_it_said(tmp_path):
    script = tmp_path / "fails.py"
    script.write_text("raise SystemExit('no figures today')")
    with pytest.raises(RuntimeError, match="fails.py.*ended with 1\nno figures today"):
        measure.in_process(script, "7")
    script.write_text("import sys; held = b'x' * 50_000_000; print('{\"size\": ' + sys.argv[1] + '}')")
    found = measure.in_process(script, "7")
    assert found["size"] == 7 and found["peak_bytes"] > 50_000_000


def test_the_figures_can_be_kept_elsewhere(bench, tmp_path, figures_folder):
    bench.finish({})
    assert (figures_folder / "trial.json").is_file() and not (tmp_path / "build").exists()
