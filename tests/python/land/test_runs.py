"""The loader of runs over real texts and vectors."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mathpinpoint.land import runs, search_index
from mathpinpoint.schemas import LANDED, WORK

DOCUMENTS = pa.table({
    "doc_id": ["d_c", "d_a", "d_b", "d_e", "d_d"],
    "doc_text": [
        r"To find $\int_0^1 x^2 \, dx$ use the power rule: it is $\frac{1}{3}$.",
        r"Solve $x^2 = 4$ for real $x$. The solutions are $x = 2$ and $x = -2$.",
        r"Solve $x^2 = 4$ for real $x$. The solutions are $x = 2$ and $x = -2$.",
        r"The integral of $\sin x$ from $0$ to $\pi$ is $2$.",
        r"A group of prime order is cyclic, by the theorem of Lagrange.",
    ],
})
QUERIES = {
    "p_1": r"Solve $x^2 = 4$ for real $x$.",
    "p_2": r"What is $\int_0^1 x^2 \, dx$?",
    "p_3": "zzz",
    "p_4": "Is a group of prime order cyclic?",
    "p_5": "",
}
LEXICAL = {
    "bm25": {"k1": 1.2, "b": 0.75, "fixed_point_bits": 18, "tokenizer": "math"},
    "ngram5": {"fixed_point_bits": 18, "shingle_tokens": 5, "tokenizer": "math"},
}
GRAPH = {"connectivity": 16, "expansion_add": 128, "expansion_search": 64, "index_dtype": "f16"}
DENSE = {"fixed_point_bits": 20, "max_exact_documents": 10_000, **GRAPH}


def work(route: str, queries: dict[str, str] = QUERIES) -> pa.RecordBatch:
    n = len(queries)
    columns = [[route] * n, list(queries), [f"f_{name}" for name in queries],
               list(queries.values()), ["0" * 64] * n]
    arrays = [pa.array(column, pa.string()) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=WORK["runs"])


def landed(batches, route, documents=DOCUMENTS, depth=3, **options) -> list[dict]:
    parameters = {**LEXICAL, "dense": DENSE}[route]
    found = runs.rows(iter(batches), route=route, documents=documents, depth=depth,
                      parameters=parameters, **options)
    return [row for batch in found for row in batch.to_pylist()]


def pieces(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    return [batch.slice(start, 1) for start in range(batch.num_rows)]


@pytest.mark.parametrize("route", ["bm25", "ngram5"])
def test_ranks_scores_and_nulls_follow_the_contract(route):
    rows = landed([work(route)], route)
    first = [row for row in rows if row["query_id"] == "p_1"]
    assert [row["rank"] for row in first] == list(range(1, len(first) + 1))
    assert [row["doc_id"] for row in first[:2]] == ["d_a", "d_b"]
    assert first[0]["score"] == first[0]["score_fixed"] / 2**18 == first[1]["score"]
    assert first[0]["fingerprint"] == "f_p_1" and first[0]["engine"] == "kernel"
    assert (first[0]["n_match"] or 0) >= (route == "ngram5")
    for silent in ("p_3", "p_5"):
        [row] = [row for row in rows if row["query_id"] == silent]
        names = ("rank", "doc_id", "score_fixed", "score", "n_match")
        assert [row[name] for name in names] == [None] * 5
    best = {row["query_id"]: row["doc_id"] for row in rows if row["rank"] == 1}
    assert best["p_2"] == "d_c" and best["p_4"] == "d_d"


@pytest.mark.parametrize("route", ["bm25", "ngram5"])
def test_order_of_documents_batches_and_source_change_nothing(route, tmp_path):
    whole = landed([work(route)], route)
    assert landed(pieces(work(route)), route) == whole
    assert landed([work(route)], route, DOCUMENTS.take([4, 2, 0, 1, 3])) == whole
    pq.write_table(DOCUMENTS, tmp_path / "documents.parquet", row_group_size=2)
    assert landed([work(route)], route, tmp_path) == whole
    assert landed([work(route)], route, tmp_path / "documents.parquet") == whole


def test_the_schema_is_the_landed_one_and_no_rows_give_none():
    expected = [field for field in LANDED["runs"].schema if field.name != "landed_at"]
    for queries, n_batches in ((QUERIES, 1), ({}, 0)):
        found = list(runs.rows(
            iter([work("bm25", queries)]), route="bm25", documents=DOCUMENTS, depth=3,
            parameters=LEXICAL["bm25"],
        ))
        assert len(found) == n_batches
        assert all(batch.schema == pa.schema(expected) for batch in found)


def test_more_queries_than_are_searched_together_keep_their_order():
    many = {f"p_{n:05d}": r"Solve $x^2 = 4$." for n in range(runs.QUERIES + 10)}
    batches = pa.Table.from_batches([work("bm25", many)]).to_batches(1_000)
    rows = landed(batches, "bm25", depth=1)
    assert [row["query_id"] for row in rows] == list(many)
    assert {row["doc_id"] for row in rows} == {"d_a"}


def test_an_index_is_built_once_and_anew_when_the_corpus_changes():
    landed([work("bm25")], "bm25")
    first = search_index._built["bm25"][1]
    landed([work("bm25")], "bm25", pa.table(DOCUMENTS.to_pydict()))
    assert search_index._built["bm25"][1] is first
    landed([work("bm25")], "bm25", DOCUMENTS.slice(1))
    assert search_index._built["bm25"][1] is not first


@pytest.mark.parametrize("route", ["bm25", "ngram5"])
def test_an_index_in_files_finds_the_same_and_is_used_while_its_bytes_are_whole(route, tmp_path):
    expected = landed([work(route)], route)

    def again(documents=DOCUMENTS):
        search_index._built.clear()
        rows = landed([work(route)], route, documents, index_folder=tmp_path)
        (folder,) = tmp_path.iterdir()
        return rows, folder

    rows, folder = again()
    assert rows == expected
    written = (folder / "starts.npy").stat().st_mtime_ns
    assert again() == (expected, folder) and (folder / "starts.npy").stat().st_mtime_ns == written
    with (folder / "starts.npy").open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"!")
    assert again() == (expected, folder) and (folder / "starts.npy").stat().st_mtime_ns != written
    rows, other = again(DOCUMENTS.slice(1))
    assert other != folder and {row["doc_id"] for row in rows} < {row["doc_id"] for row in expected} | {"d_b"}


def vectors(key: str, ids: list[str], seed: int, size: int = 48) -> pa.Table:
    draw = np.random.default_rng(seed).normal(size=(len(ids), size)).astype(np.float32)
    unit = draw / np.linalg.norm(draw, axis=1, keepdims=True)
    return pa.table({key: ids, "vector": pa.array(list(unit), pa.list_(pa.float32()))})


def test_dense_is_the_exact_order_of_cosines_whatever_the_batches():
    documents = vectors("doc_id", [f"d_{n:03d}" for n in range(300)], 1)
    twin = documents.slice(5, 1).set_column(0, "doc_id", pa.array(["d_999"]))
    documents = pa.concat_tables([twin, documents])
    queries = vectors("query_id", list(QUERIES), 2)
    whole = landed([work("dense")], "dense", documents, depth=300, query_vectors=queries)
    assert landed(pieces(work("dense")), "dense", documents, 300, query_vectors=queries) == whole
    ids = documents.column("doc_id").to_pylist()
    matrix = np.array(documents.column("vector").to_pylist(), dtype=np.float64)
    for name, query in zip(QUERIES, queries.column("vector").to_pylist(), strict=True):
        cosines = np.rint(matrix @ np.array(query) * 2**20).astype(int)
        expected = sorted(zip(ids, cosines, strict=True), key=lambda row: (-row[1], row[0]))[:300]
        rows = [row for row in whole if row["query_id"] == name]
        assert [(row["doc_id"], row["score_fixed"]) for row in rows] == expected
        assert rows[0]["n_match"] is None and rows[0]["score"] == expected[0][1] / 2**20


def test_a_query_without_a_vector_is_named():
    queries = vectors("query_id", ["p_1"], 2)
    documents = vectors("doc_id", ["d_1"], 1)
    with pytest.raises(ValueError, match="4 queries have no vector, the first is p_2"):
        landed([work("dense")], "dense", documents, query_vectors=queries)


FLOATS = pa.list_(pa.float32())
MEND = "Move the shards of landed/embeddings .* then run `mathpinpoint land embeddings`"


@pytest.mark.parametrize("other", [None, [0.6, 0.8]])
def test_vectors_of_several_sizes_are_refused(other):
    documents = pa.table({"doc_id": ["a", "b"], "vector": pa.array([[1.0], other], FLOATS)})
    with pytest.raises(ValueError, match=f"Vectors of doc_id have sizes .1, .*first of another is b's. {MEND}"):
        landed([work("dense")], "dense", documents, query_vectors=documents)


def test_queries_whose_vectors_have_another_size_than_the_documents_are_refused():
    queries, documents = vectors("query_id", list(QUERIES), 2, size=16), vectors("doc_id", ["d_1"], 1)
    with pytest.raises(ValueError, match="queries have 16 numbers, those of documents 48.*land embeddings"):
        landed([work("dense")], "dense", documents, query_vectors=queries)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), None])
def test_a_vector_that_holds_no_number_is_named(number):
    queries = vectors("query_id", list(QUERIES), 2, size=2)
    documents = pa.table({"doc_id": ["a", "b"], "vector": pa.array([[1.0, 0.0], [number, 0.0]], FLOATS)})
    with pytest.raises(ValueError, match=f"1 vectors of doc_id hold NaN, .* the first is b's. {MEND}"):
        landed([work("dense")], "dense", documents, query_vectors=queries)
    bad = pa.table({"query_id": ["p_1"], "vector": documents["vector"].slice(1)})
    with pytest.raises(ValueError, match="1 vectors of query_id hold NaN, .* the first is p_1's"):
        landed([work("dense", {"p_1": "a"})], "dense", documents.slice(0, 1), query_vectors=bad)


@pytest.mark.parametrize("route", ["dense", "bm25", "ngram5"])
def test_queries_without_a_document_to_search_are_refused(route):
    queries, documents = vectors("query_id", list(QUERIES), 2), vectors("doc_id", ["d_1"], 1).slice(0, 0)
    with pytest.raises(ValueError, match=f"no document, and 5 queries wait .* route {route}. Run `mathpinpoint run`"):
        landed([work(route)], route, DOCUMENTS.slice(0, 0) if route != "dense" else documents, query_vectors=queries)


def test_rows_of_another_route_and_repeated_ids_are_refused():
    with pytest.raises(ValueError, match="route bm25 holds rows of .'ngram5'"):
        landed([work("ngram5")], "bm25")
    with pytest.raises(ValueError, match="doc_id repeats"):
        landed([work("bm25")], "bm25", pa.concat_tables([DOCUMENTS, DOCUMENTS]))
