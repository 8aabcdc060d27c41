"""The loader of nearest items against a search of all with all."""

import numpy as np
import pyarrow as pa
import pytest

from mathpinpoint.land import nearest_items
from mathpinpoint.schemas import LANDED, WORK

SIZE = 16


def vectors(count: int, seed: int) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=(count, SIZE)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def tables(items: dict[str, np.ndarray], queries: np.ndarray) -> dict[str, pa.Table]:
    rows = [
        {"eval_set": name, "item_id": f"i{number:04d}", "vector": vector.tolist()}
        for name, some in items.items() for number, vector in enumerate(some)
    ]
    asked = [{"query_sha256": f"q{number:04d}", "vector": vector.tolist()} for number, vector in enumerate(queries)]
    kind = pa.list_(pa.float32())
    return {
        "items": pa.Table.from_pylist(
            rows, pa.schema([("eval_set", pa.string()), ("item_id", pa.string()), ("vector", kind)])
        ),
        "query_vectors": pa.Table.from_pylist(asked, pa.schema([("query_sha256", pa.string()), ("vector", kind)])),
    }


def land(work: list[dict], **options) -> list[dict]:
    batch = pa.RecordBatch.from_pylist(work, schema=WORK["nearest_items"])
    landed = list(nearest_items.rows(iter([batch]), model="m", **options))
    for one in landed:
        assert [*one.schema.names, "landed_at"] == LANDED["nearest_items"].schema.names
    return [row for one in landed for row in one.to_pylist()]


def test_nearest_item_of_each_set_is_what_comparing_all_with_all_finds():
    items, queries = {"s": vectors(300, 1), "t": vectors(20, 2)}, vectors(700, 3)
    work = [{"eval_set": name, "query_sha256": f"q{number:04d}"} for name in items for number in range(len(queries))]
    found = {(row["eval_set"], row["query_sha256"]): row for row in land(work, **tables(items, queries))}
    assert found.keys() == {(row["eval_set"], row["query_sha256"]) for row in work}
    for name, some in items.items():
        cosines = queries.astype(np.float64) @ some.astype(np.float64).T
        for number, row in enumerate(cosines):
            one = found[name, f"q{number:04d}"]
            assert one["item_id"] == f"i{row.argmax():04d}" and one["model"] == "m"
            assert abs(one["cosine"] - row.max()) < 1e-6


def test_of_equal_items_the_smallest_id_is_nearest():
    one = vectors(1, 4)
    (row,) = land([{"eval_set": "s", "query_sha256": "q0000"}], **tables({"s": np.repeat(one, 3, axis=0)}, one))
    assert (row["item_id"], row["cosine"]) == ("i0000", pytest.approx(1.0, abs=1e-6))


def test_missing_vector_names_the_command_that_makes_it():
    made = tables({"s": vectors(2, 5)}, vectors(1, 6))
    with pytest.raises(ValueError, match="1 queries have no vector.*mathpinpoint land embeddings"):
        land([{"eval_set": "s", "query_sha256": "other"}], **made)
    items = made["items"].set_column(2, "vector", pa.array([None, [1.0] * SIZE], pa.list_(pa.float32())))
    with pytest.raises(ValueError, match="1 evaluation items have no vector.*mathpinpoint land embeddings"):
        land([{"eval_set": "s", "query_sha256": "q0000"}], items=items, query_vectors=made["query_vectors"])


def test_an_empty_batch_lands_no_rows():
    assert land([], **tables({"s": vectors(2, 5)}, vectors(1, 6))) == []
