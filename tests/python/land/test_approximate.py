"""Dense search above the policy's size: a graph's candidates, exact scores, measured recall."""

import json

import numpy as np
import pyarrow as pa
import pytest

from mathpinpoint.compute import dense, graph
from mathpinpoint.land import recall_checks, runs, search_index
from mathpinpoint.schemas import LANDED, WORK

N_DOCUMENTS, N_QUERIES, DIMENSIONS, DEPTH, BITS = 1_500, 40, 24, 20, 20
POLICY = {"fixed_point_bits": BITS, "max_exact_documents": 1_000, "connectivity": 16, "expansion_add": 64,
          "expansion_search": 64, "index_dtype": "f16"}
QUERY_IDS = [f"p_{number:03d}" for number in range(N_QUERIES)]


def table(key: str, ids: list[str], seed: int) -> pa.Table:
    drawn = np.random.default_rng(seed).normal(size=(len(ids), DIMENSIONS)).astype(np.float32)
    unit = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return pa.table({key: ids, "vector": pa.array(list(unit), pa.list_(pa.float32()))})


DOCUMENTS = table("doc_id", [f"d_{number:05d}" for number in range(N_DOCUMENTS)], 1)
QUERIES = table("query_id", QUERY_IDS, 2)


def work(name: str) -> pa.RecordBatch:
    columns = {"route": ["dense"] * N_QUERIES, "query_id": QUERY_IDS,
               "fingerprint": [f"f_{query}" for query in QUERY_IDS]}
    arrays = [pa.array(columns.get(field, [""] * N_QUERIES), pa.string()) for field in WORK[name].names]
    return pa.RecordBatch.from_arrays(arrays, schema=WORK[name])


def landed(name: str, batches=None, folder=None, documents=DOCUMENTS, **policy) -> list[dict]:
    loader = {"runs": runs, "recall_checks": recall_checks}[name]
    search_index._built.clear()
    options = loader.prepared(route="dense", documents=documents, query_vectors=QUERIES, depth=DEPTH,
                              parameters=POLICY | policy, index_folder=folder)
    found = loader.rows(iter(batches or [work(name)]), **options)
    return [row for batch in found for row in batch.to_pylist()]


def lists(rows: list[dict]) -> dict[str, set[str]]:
    return {query: {row["doc_id"] for row in rows if row["query_id"] == query} for query in QUERY_IDS}


@pytest.fixture(scope="module")
def exact() -> list[dict]:
    return landed("runs", max_exact_documents=N_DOCUMENTS)


def test_hits_of_a_graph_have_the_exact_score_and_order_of_those_that_it_finds(exact):
    rows = landed("runs")
    assert {row["engine"] for row in rows} == {graph.engine()} and {row["engine"] for row in exact} == {"exact"}
    scores = {(row["query_id"], row["doc_id"]): row["score_fixed"] for row in exact}
    assert len(rows) == N_QUERIES * DEPTH and lists(rows) != {query: set() for query in QUERY_IDS}
    n_shared = sum(len(found & lists(exact)[query]) for query, found in lists(rows).items())
    assert n_shared >= 0.9 * len(rows)
    for row in rows:
        assert scores.get((row["query_id"], row["doc_id"]), row["score_fixed"]) == row["score_fixed"]
    for query in QUERY_IDS:
        mine = [row for row in rows if row["query_id"] == query]
        assert [row["rank"] for row in mine] == list(range(1, DEPTH + 1))
        assert mine == sorted(mine, key=lambda row: (-row["score_fixed"], row["doc_id"]))


def test_a_graph_repeats_byte_for_byte_and_its_hits_do_not_depend_on_batches_or_files(tmp_path):
    matrix = np.array(DOCUMENTS["vector"].to_pylist(), dtype=np.float32)
    first, second = (graph.build(matrix, connectivity=16, expansion_add=64, dtype="f16") for _ in range(2))
    assert np.array_equal(first, second)
    whole, batch = landed("runs"), work("runs")
    assert landed("runs", [batch.slice(start, 7) for start in range(0, N_QUERIES, 7)]) == whole
    assert landed("runs", [batch.slice(start, 1) for start in range(N_QUERIES)], tmp_path) == whole
    wider = {"expansion_search": 400}
    assert len(lists(landed("runs", None, tmp_path, **wider))) == N_QUERIES
    assert len(list(tmp_path.glob("dense-*"))) == 1, "a wider search needs no other index"


def test_an_index_whose_bytes_changed_is_built_anew(tmp_path):
    whole = landed("runs", None, tmp_path)
    (file,) = tmp_path.glob("dense-*/graph.npy")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 255
    file.write_bytes(content)
    assert landed("runs", None, tmp_path) == whole
    assert file.read_bytes() != bytes(content)


def test_the_recall_that_lands_is_the_share_of_the_exact_hits_in_the_runs(exact):
    checks, rows = landed("recall_checks"), landed("runs")
    shared = {query: len(found & lists(exact)[query]) for query, found in lists(rows).items()}
    assert {row["query_id"]: row["n_found"] for row in checks} == shared
    assert {row["n_exact"] for row in checks} == {DEPTH}
    assert all(row["n_found_wider"] >= row["n_found"] for row in checks)
    assert [row["fingerprint"] for row in checks] == [f"f_{query}" for query in QUERY_IDS]
    assert json.loads(checks[0]["parameters"]) == {
        name: POLICY[name] for name in ("connectivity", "expansion_add", "expansion_search", "index_dtype")
    }


def test_a_poor_graph_is_seen_and_a_wider_search_of_it_finds_more():
    poor = landed("recall_checks", connectivity=3, expansion_add=3, expansion_search=1)
    good = landed("recall_checks", connectivity=32, expansion_add=200, expansion_search=400)
    assert sum(row["n_found"] for row in poor) < sum(row["n_found"] for row in good)
    assert sum(row["n_found"] for row in good) >= 0.99 * N_QUERIES * DEPTH


def test_a_twin_of_a_document_ties_with_it_and_the_smaller_id_comes_first():
    twin = DOCUMENTS.slice(7, 1).set_column(0, "doc_id", pa.array(["d_99999"]))
    rows = landed("runs", None, None, pa.concat_tables([DOCUMENTS, twin]))
    pairs = {}
    for row in rows:
        if row["doc_id"] in ("d_00007", "d_99999"):
            pairs.setdefault(row["query_id"], []).append((row["rank"], row["doc_id"], row["score_fixed"]))
    both = [found for found in pairs.values() if len(found) == 2]
    assert both
    for (rank, first, score), (next_rank, second, other) in both:
        assert (next_rank, first, second, other) == (rank + 1, "d_00007", "d_99999", score)


def test_the_schema_is_the_landed_one():
    expected = [field for field in LANDED["recall_checks"].schema if field.name != "landed_at"]
    (batch,) = recall_checks.rows(
        iter([work("recall_checks")]), route="dense", documents=DOCUMENTS, query_vectors=QUERIES, depth=DEPTH,
        parameters=POLICY,
    )
    assert batch.schema == pa.schema(expected)


def test_numbers_of_a_type_that_no_graph_has_are_refused():
    with pytest.raises(ValueError, match="no index_dtype 'i4'; seeds/policy/routes.csv may name f32, f16"):
        landed("runs", index_dtype="i4")


def test_fewer_documents_than_the_depth_are_all_found():
    few = dense.Vectors(["a", "b"], np.eye(2, dtype=np.float32))
    made = graph.build(few.matrix, connectivity=16, expansion_add=64, dtype="f16")
    for one in (few, dense.Vectors(few.doc_ids, few.matrix, made)):
        hits = dense.search(one, np.array([[0.6, 0.8]], np.float32), k=5, bits=BITS, expansion=64)
        assert hits.counts.tolist() == [2] and hits.docs.tolist() == [1, 0]
