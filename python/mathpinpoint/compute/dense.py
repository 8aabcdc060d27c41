"""Exact search by inner product."""

import numpy as np

SCALE = 2**20  # a fixed-point score is round(cosine * SCALE)


def top_k(
    queries: np.ndarray, documents: np.ndarray, doc_ids: np.ndarray, *, k: int, block: int
) -> tuple[np.ndarray, np.ndarray]:
    """The `k` documents of largest inner product with each query, best first.

    `queries` (q, d) and `documents` (n, d) are float32, `doc_ids` (n,) strings; documents are
    read `block` rows at a time. Gives positions into `documents` and scores as int64 fixed point,
    both (q, min(k, n)). The fixed-point score ranks, ties go to the smaller id, so that the
    order does not depend on how a matrix product adds up.
    """
    place = np.empty(len(doc_ids), dtype=np.int64)  # of each document in the order of the ids
    place[np.argsort(doc_ids, kind="stable")] = np.arange(len(doc_ids))
    n = max(len(doc_ids), 1)
    best = np.empty((len(queries), 0), dtype=np.int64)
    for start in range(0, len(documents), block):
        scores = np.rint((queries @ documents[start : start + block].T).astype(np.float64) * SCALE)
        # One integer holds both: a higher score first, then a smaller place.
        keys = scores.astype(np.int64) * n + (n - 1 - place[start : start + block])
        best = _largest(np.concatenate([best, keys], axis=1), k)
    best = -np.sort(-best, axis=1)
    scores, rest = np.divmod(best, n)
    return np.argsort(place, kind="stable")[n - 1 - rest], scores


def _largest(keys: np.ndarray, k: int) -> np.ndarray:
    if keys.shape[1] <= k:
        return keys
    return np.partition(keys, keys.shape[1] - k, axis=1)[:, -k:]
