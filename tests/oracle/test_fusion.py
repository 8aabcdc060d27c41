"""Fusion in SQL against ranx: reciprocal rank fusion with the dense run given twice."""

import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from mathpinpoint.warehouse import Warehouse

REPO = Path(__file__).resolve().parents[2]
DEPTH, SEED = 100, 11
N_QUERIES, N_DOCUMENTS = 75, 260
TABLE = """
select query_id, doc_id, dense_rank, bm25_rank, ngram5_rank, rrf_score, fused_rank
from retrieval.ranks order by all
"""
RANX = """
import json, sys
from ranx import Run, fuse

runs = [Run(run) for run in json.load(sys.stdin)]
print(json.dumps(fuse(runs=runs, norm=None, method="rrf", params={"k": 60}).to_dict()))
"""
# Three sums of the same terms, 1/61 + 1/65 + 1/67, and two of 1/70 + 1/80: exact ties.
TIES = {
    "doc-ties-a": (62, 5, 7), "doc-ties-b": (70, 1, 7), "doc-ties-c": (74, 5, 1),
    "doc-ties-d": (70, 7, 1), "doc-pair-a": (None, 10, 20), "doc-pair-b": (None, 20, 10),
    "doc-pair-c": (80, 20, None), "doc-pair-d": (100, None, 10),
}


def _hits():
    """(query, route, rank, document): random lists, some short, some empty, and planted ties."""
    draw = random.Random(SEED)
    found = []
    for number in range(N_QUERIES):
        query_id = f"query-{number:03}"
        for at, route in enumerate(("dense", "bm25", "ngram5")):
            is_whole = route == "dense" or number % 3 == 0
            length = DEPTH if is_whole else draw.choice([0, 3, DEPTH, DEPTH])
            documents = draw.sample([f"doc-{n:03}" for n in range(N_DOCUMENTS)], length)
            ranked = dict(enumerate(documents, 1))
            if number % 3 == 0:
                group = "doc-ties" if number % 2 else "doc-pair"
                planted = {doc: ranks[at] for doc, ranks in TIES.items() if doc.startswith(group)}
                ranked |= {rank: doc for doc, rank in planted.items() if rank}
            found += [(query_id, route, rank, doc) for rank, doc in sorted(ranked.items())]
    return found


def _dbt(home, *arguments, threads):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MATHPINPOINT_")}
    result = subprocess.run(
        [Path(sys.executable).with_name("dbt"), *arguments, "--profiles-dir", "."], cwd=REPO,
        env={
            **kept, "MATHPINPOINT_HOME": str(home), "MATHPINPOINT_THREADS": str(threads),
            "DBT_TARGET_PATH": str(home / "target"), "DBT_LOG_PATH": str(home / "target"),
        }, capture_output=True, text=True, timeout=280,
    )
    assert result.returncode == 0, result.stdout[-4000:]


@pytest.fixture(scope="module")
def fused(tmp_path_factory):
    """The hits, and retrieval.ranks as dbt builds it over them with 1, 2 and 8 threads."""
    home = tmp_path_factory.mktemp("fusion")
    Warehouse(home).create()
    policy = ("--select", "path:seeds", "path:models/staging", "--exclude-resource-type", "test")
    _dbt(home, "build", *policy, threads=1)
    hits = _hits()
    with duckdb.connect(str(home / "warehouse.duckdb")) as connection:
        connection.execute("create schema if not exists retrieval; create schema if not exists queries")
        # Own pages that no route returned: they add no row.
        connection.execute(
            "create table queries.queries as select unnest(?::varchar[]) as query_id, 'd_own' as source_doc_id",
            [sorted({query_id for query_id, *_ in hits})],
        )
        connection.execute(
            "create table retrieval.hits (query_id varchar, route varchar, rank bigint,"
            " doc_id varchar, score double, n_match bigint)"
        )
        shuffled = random.Random(SEED).sample(hits, len(hits))
        names = ("query_id", "route", "rank", "doc_id")
        given = pa.table(dict(zip(names, zip(*shuffled, strict=True), strict=True)))
        connection.register("given", given)
        connection.execute(
            "insert into retrieval.hits"
            " select query_id, route, rank, doc_id, 1 - rank / 1000, null from given"
        )
    tables = {}
    for threads in (1, 2, 8):
        _dbt(home, "run", "--select", "ranks", threads=threads)
        with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
            tables[threads] = connection.execute(TABLE).fetchall()
    return hits, tables


def _by_query(hits, route):
    """ranx's form of a run: documents with scores that fall with the rank."""
    found = {query_id: {} for query_id, *_ in hits}
    for query_id, of, rank, doc in hits:
        if of == route:
            found[query_id][doc] = float(DEPTH + 1 - rank)
    return found


def _fused_by_ranx(*runs):
    """Documents and scores by query, not compiled: that takes longer than fusing."""
    result = subprocess.run(
        [sys.executable, "-c", RANX], input=json.dumps(runs), capture_output=True, text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, timeout=280,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    return json.loads(result.stdout)


def test_the_fused_score_is_that_of_ranx(fused):
    hits, tables = fused
    dense, bm25, ngram5 = (_by_query(hits, route) for route in ("dense", "bm25", "ngram5"))
    wanted = {
        (query_id, doc): score
        for query_id, scores in _fused_by_ranx(dense, dense, bm25, ngram5).items()
        for doc, score in scores.items()
    }
    listed = {(row[0], row[1]): row[5] for row in tables[2]}
    assert listed.keys() == wanted.keys()
    worst = max(abs(listed[pair] - wanted[pair]) for pair in wanted)
    print(f"{len(listed)} pairs, the largest difference of scores {worst:.1e}")
    assert len(listed) >= 10_000 and worst <= 1e-12


def _exact(ranks):
    dense, *lexical = ranks
    parts = [Fraction(2, 60 + dense)] if dense else []
    return sum(parts + [Fraction(1, 60 + rank) for rank in lexical if rank], Fraction(0))


def test_the_fused_rank_breaks_ties_by_the_best_rank_then_the_id(fused):
    _, tables = fused
    by_query = {}
    for query_id, doc, *ranks, score, place in tables[2]:
        by_query.setdefault(query_id, []).append((doc, ranks, score, place))
    ties = 0
    for query_id, found in by_query.items():
        order = sorted(found, key=lambda row: (-_exact(row[1]), min(filter(None, row[1])), row[0]))
        assert order == sorted(found, key=lambda row: row[3]), query_id
        rounded = sorted(
            found, key=lambda row: (-round(row[2], 12), min(filter(None, row[1])), row[0])
        )
        assert rounded == order
        scores = [_exact(row[1]) for row in order]
        ties += sum(one == two for one, two in pairwise(scores))
    print(f"{ties} ties of neighbours")
    assert ties >= N_QUERIES


def test_any_number_of_threads_gives_the_same_table(fused):
    _, tables = fused
    assert tables[1] == tables[2] == tables[8]
