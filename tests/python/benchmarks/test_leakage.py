"""The labelled pairs made of real evaluation sets and problems: the leakage rules find copies and little else."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("MATHPINPOINT_SHARED") or FOLDER.parent / "shared" / "data")
OURS = "mathpinpoint"
COPIES = ("case", "prefix", "latex", "sentence", "synonyms", "name")


@pytest.fixture(scope="module")
def figures(figures_folder):
    """(measure, system) → value, of one run over the whole fixture."""
    if not (DATA / "problems" / "math_test.jsonl").is_file():
        pytest.skip(f"{DATA} has no problems")
    paths = os.pathsep.join(map(str, (FOLDER / "python", FOLDER / "benchmarks")))
    environment = os.environ | {"PYTHONPATH": paths, "MATHPINPOINT_SHARED": str(DATA)}
    command = [sys.executable, FOLDER / "benchmarks" / "leakage", "--fixture"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "Figures: " in done.stdout, done.stderr
    print(done.stdout)
    found = json.loads((figures_folder / "leakage.json").read_text())
    return {(one["measure"], one["system"]): one["value"] for one in found}


@pytest.mark.slow
def test_reworded_copies_are_found_and_unrelated_problems_are_not(figures):
    assert figures["queries", OURS] > 14_000
    assert figures["recall of copies", OURS] >= 0.98
    assert figures["hits on unrelated problems", OURS] <= 0.01
    assert figures["precision", OURS] >= 0.98


@pytest.mark.slow
def test_the_500_items_within_the_test_set_of_math_are_found_exactly(figures):
    assert figures["found of exact", OURS] == figures["found of exact", "equality"] == 1
    assert figures["found of exact", "canonical"] >= 0.99


@pytest.mark.slow
def test_a_method_finds_what_it_is_for(figures):
    assert figures["found of case", "equality"] == 1 and figures["found of prefix", "equality"] == 0
    assert figures["found of latex", "canonical"] > 0.7
    assert figures["found of synonyms", "jaccard5"] < figures["found of synonyms", "lcs"]
    assert all(figures[f"found of {kind}", "lcs"] >= 0.95 for kind in COPIES)


@pytest.mark.slow
def test_the_rules_find_more_copies_than_word_n_grams_and_hit_fewer_others(figures):
    for size in (13, 8):
        peer = f"word {size}-grams"
        assert figures["recall of copies", OURS] > figures["recall of copies", peer]
        assert figures["hits on unrelated problems", OURS] < figures["hits on unrelated problems", peer]


def test_changes_are_what_they_are_called():
    spec = importlib.util.spec_from_file_location("changes", FOLDER / "benchmarks" / "leakage" / "changes.py")
    changes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(changes)
    text = r"Find all $x \le 12$ with $x^2=9$. How many such numbers does Tobias have?"
    made = {kind: changes.changed(kind, text, "k", {"Tobias"}) for kind in (*changes.COPIES, *changes.TWINS)}
    assert made["case"].casefold().replace(".  ", ". ") == text.casefold()
    assert made["prefix"].casefold().endswith("tobias have?") and len(made["prefix"]) > len(text)
    assert made["latex"] == r"Find all \(x \leq 12\) with \(x^{2}=9\). How many such numbers does Tobias have?"
    assert made["sentence"] in text and made["sentence"] != text
    assert "Tobias" not in made["name"] and made["name"].startswith(r"Find all $x \le 12$ with $x^2=9$. How many")
    assert "12" not in made["number"] and changes.NUMBER.sub("", made["number"]) == changes.NUMBER.sub("", text)
    assert made == {kind: changes.changed(kind, text, "k", {"Tobias"}) for kind in made}
    assert changes.changed("name", "Find $x$.", "k", set()) is None
