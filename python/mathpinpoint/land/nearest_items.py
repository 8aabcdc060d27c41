"""The loader of landed.nearest_items: the evaluation item nearest in meaning to each query."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mathpinpoint.compute import dense
from mathpinpoint.land.columns import landed_batch

BLOCK = 8_192  # items of one matrix product
QUERIES = 512  # queries of one matrix product


def rows(
    batches: Iterator[pa.RecordBatch], *, model: str, items: pa.Table, query_vectors: pa.Table
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of nearest_items. Lands the nearest item of the set for each query, with the cosine.

    `items` is (eval_set, item_id, vector), `query_vectors` (query_sha256, vector), the vectors L2-normalized and
    made by `model`. The search is exact; of items with the same cosine the smallest id is nearest. Raises
    ValueError where a vector is missing.
    """
    sets = {
        name: items.filter(pc.equal(items["eval_set"], name)) for name in pc.unique(items["eval_set"]).to_pylist()
    }
    places = {name: number for number, name in enumerate(query_vectors["query_sha256"].to_pylist())}
    queries = _matrix(query_vectors, "queries")
    for batch in batches:
        for name in pc.unique(batch["eval_set"]).to_pylist():
            asked = batch.filter(pc.equal(batch["eval_set"], name))["query_sha256"].to_pylist()
            missing = [one for one in asked if one not in places]
            if missing:
                raise _no_vector(f"{len(missing)} queries", missing[0])
            found, cosines = _nearest(queries[[places[one] for one in asked]], sets[name])
            yield landed_batch(
                "nearest_items", eval_set=[name] * len(asked), query_sha256=asked, model=[model] * len(asked),
                item_id=found, cosine=cosines,
            )


def _nearest(queries: np.ndarray, items: pa.Table) -> tuple[list[str], list[float]]:
    """Ids and cosines of the nearest item of each query (q, d)."""
    ids, vectors = np.array(items["item_id"].to_pylist()), _matrix(items, "evaluation items")
    found, cosines = [], []
    for start in range(0, len(queries), QUERIES):
        near, scores = dense.top_k(queries[start : start + QUERIES], vectors, ids, k=1, block=BLOCK)
        found += ids[near[:, 0]].tolist()
        cosines += (scores[:, 0] / dense.SCALE).tolist()
    return found, cosines


def _matrix(table: pa.Table, what: str) -> np.ndarray:
    """The vectors (n, d), float32; raises ValueError where one is null."""
    column = table["vector"].combine_chunks()
    if column.null_count:
        raise _no_vector(f"{column.null_count} {what}", str(table.filter(pc.is_null(column)).to_pylist()[0]))
    flat = pc.list_flatten(column).to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    return flat.reshape(len(column), -1 if len(column) else 1)


def _no_vector(what: str, first: str) -> ValueError:
    return ValueError(f"{what} have no vector, the first is {first}. Run `mathpinpoint land embeddings`.")
