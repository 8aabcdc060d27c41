"""Exact search by inner product."""

import numpy as np

SCALE = 2**20  # a fixed-point score is round(cosine * SCALE)
SPARE = 2  # candidates of the float32 product per hit; float64 decides among them


def top_k(
    queries: np.ndarray, documents: np.ndarray, doc_ids: np.ndarray, *, k: int, block: int
) -> tuple[np.ndarray, np.ndarray]:
    """The `k` documents of largest inner product with each query, best first.

    `queries` (q, d) and `documents` (n, d) are float32, `doc_ids` (n,) sort; documents are read
    `block` rows at a time. Gives positions into `documents` and scores as int64 fixed point, both
    (q, min(k, n)). The fixed-point score ranks, ties go to the smaller id. A float32 product
    differs with the shape of its block, so its best are scored again in float64.
    """
    place = np.empty(len(doc_ids), dtype=np.int64)  # of each document in the order of the ids
    by_place = np.argsort(doc_ids, kind="stable")
    place[by_place] = np.arange(len(doc_ids))
    near = by_place[_candidates(queries, documents, place, SPARE * k, block)]
    exact = np.empty(near.shape, dtype=np.float64)
    for row, (query, found) in enumerate(zip(queries, near, strict=True)):
        exact[row] = documents[found].astype(np.float64) @ query.astype(np.float64)
    keys = _keys(exact, place[near], len(doc_ids))
    order = np.argsort(-keys, axis=1)[:, :k]
    scores = np.rint(exact * SCALE).astype(np.int64)
    return np.take_along_axis(near, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _candidates(
    queries: np.ndarray, documents: np.ndarray, place: np.ndarray, count: int, block: int
) -> np.ndarray:
    """Places of the `count` best documents of each query by the float32 product, in no order."""
    best = np.empty((len(queries), 0), dtype=np.int64)
    for start in range(0, len(documents), block):
        scores = queries @ documents[start : start + block].T
        keys = _keys(scores, place[start : start + block], len(place))
        best = np.concatenate([best, keys], axis=1)
        if best.shape[1] > count:
            best = np.partition(best, best.shape[1] - count, axis=1)[:, -count:]
    n = max(len(place), 1)
    return n - 1 - best % n


def _keys(scores: np.ndarray, place: np.ndarray, n: int) -> np.ndarray:
    """One integer for score and place: a higher score is larger, then a smaller place."""
    return np.rint(scores.astype(np.float64) * SCALE).astype(np.int64) * n + (n - 1 - place)
