"""The benchmark of scale: the very models of the project, over hits whose fusion other programs agree on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

FOLDER = Path(__file__).resolve().parents[3]
sys.path.append(str(FOLDER / "benchmarks"))
from scale import home as facts  # noqa: E402
from scale import ours, shape  # noqa: E402

N_QUERIES = 200


def script(name, *arguments):
    """What a script of the benchmark printed."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (FOLDER / "python", FOLDER / "benchmarks")))}
    done = subprocess.run(
        [sys.executable, FOLDER / "benchmarks" / "scale" / name, *map(str, arguments)],
        env=environment, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A home of a few queries with its candidates under v2, and what was made."""
    home = tmp_path_factory.mktemp("scale")
    kept = dict(os.environ)
    try:
        made = facts.make(home, N_QUERIES / shape.N_QUERIES)
    finally:
        os.environ.clear()
        os.environ.update(kept)
    script("stage.py", home, "v2", *ours.STAGES[ours.FUSION])
    return home, made


def test_every_stage_is_a_model_of_the_project_and_none_is_left_out(built):
    """No SELECT of the benchmark makes what a model makes, and the statements built are the project's."""
    home, _ = built
    compiled = home / "target" / "run" / "mathpinpoint" / "models"
    for model in ours.STAGES[ours.FUSION]:
        assert list(compiled.rglob(f"{model}.sql"))
    there = {path.stem for path in (FOLDER / "models").rglob("*.sql")}
    assert {model for models in ours.STAGES.values() for model in models} <= there
    assert not list((FOLDER / "benchmarks").rglob("*.sql"))


def test_the_hits_have_the_shape_of_the_release(built):
    home, made = built
    assert made["queries"] == N_QUERIES
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        longest = connection.execute(
            "select route, max(n), min(n) from (select query_id, route, count(*) as n, max(rank) as depth"
            " from retrieval.hits group by all) where n = depth group by all order by all"
        ).fetchall()
        n_new = connection.execute("select count(*) from retrieval.candidates where is_new").fetchone()[0]
    assert [row[:2] for row in longest] == [("bm25", 100), ("dense", 100), ("ngram5", 100)]
    assert longest[0][2] == longest[1][2] == 100 and longest[2][2] < 100
    assert n_new == made["new"] and 4 < n_new / N_QUERIES < 6


@pytest.mark.parametrize("system", ["polars", "pandas"])
def test_another_program_finds_the_same_candidates(built, system):
    home, _ = built
    found = script("peers.py", system, home, N_QUERIES)
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        kept = connection.execute(
            "select query_id, doc_id, fused_rank from retrieval.candidates where rule <> 'own_page' order by all"
        ).fetchall()
        theirs = connection.execute(f"from '{home / 'peer.parquet'}' order by all").fetchall()
    assert found["rows"] == len(kept) > 20 * N_QUERIES and theirs == kept
