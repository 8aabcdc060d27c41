"""Search by inner product: exact, or over the candidates of a graph; scores are exact either way."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mathpinpoint.compute import graph
from mathpinpoint.compute.postings import Hits

SCALE = 2**20  # a fixed-point score is round(cosine * SCALE)
SPARE = 2  # candidates of the float32 product, or of the graph, per hit; float64 decides among them
BLOCK = 8_192  # documents of one matrix product
QUERIES = 128  # queries of one matrix product


@dataclass(frozen=True)
class Vectors:
    """Vectors (n, d), float32, and their ids, ascending; with a graph over them the search is approximate."""

    doc_ids: list[str]
    matrix: np.ndarray
    graph: np.ndarray | None = None

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.doc_ids)}

    @cached_property
    def nearest(self) -> Any:
        return graph.opened(self.graph)

    @property
    def engine(self) -> str:
        """What searches: `exact`, or the graph's library and its version."""
        return "exact" if self.graph is None else graph.engine()


def stored(index: Vectors) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """The index as arrays and as lists of texts, from which `restored` makes it again."""
    arrays = {"matrix": index.matrix} | ({} if index.graph is None else {"graph": index.graph})
    return arrays, {"doc_ids": index.doc_ids}


def restored(arrays: dict[str, np.ndarray], texts: dict[str, list[str]]) -> Vectors:
    return Vectors(texts["doc_ids"], arrays["matrix"], arrays.get("graph"))


def search(index: Vectors, queries: np.ndarray, *, k: int, bits: int, expansion: int) -> Hits:
    """The `k` documents of largest inner product with each query (q, d), best first, ties to the smaller id.

    Scores are int64, round(inner product * 2^bits), computed in float64 from the vectors as they are stored: a float32
    product differs with the shape of its block, and a graph may hold float16. `expansion` is that of the graph's
    search. A graph may find fewer than `k`. Raises ValueError where queries and documents differ in size.
    """
    if len(index.doc_ids) and len(queries) and queries.shape[1] != index.matrix.shape[1]:
        raise ValueError(
            f"Vectors of queries have {queries.shape[1]} numbers, those of documents {index.matrix.shape[1]}: "
            "landed.embeddings holds two encoders under one name. Give one another name under [encoder] of the "
            "profile, then run `mathpinpoint land embeddings`."
        )
    docs, scores = [], []
    for query, near in zip(queries, _near(index, queries, k * SPARE, expansion), strict=True):
        exact = index.matrix[near].astype(np.float64) @ query.astype(np.float64)
        fixed = np.rint(np.ldexp(exact, bits)).astype(np.int64)
        best = np.lexsort((near, -fixed))[:k]  # ids ascend with their numbers
        docs.append(near[best])
        scores.append(fixed[best])
    counts = np.array([len(found) for found in docs], dtype=np.int64)
    joined = [np.concatenate([*arrays, np.zeros(0, np.int64)]) for arrays in (docs, scores)]
    return Hits(counts, *joined, None)


def _near(index: Vectors, queries: np.ndarray, count: int, expansion: int) -> Iterable[np.ndarray]:
    """Candidates of each query: the best of the float32 product, or what the graph finds."""
    order = np.arange(len(index.doc_ids))
    for start in range(0, len(queries), QUERIES):
        some = queries[start : start + QUERIES]
        if index.graph is None:
            yield from _candidates(some, index.matrix, order, count, BLOCK)
        else:
            yield from graph.candidates(index.nearest, some, count=count, expansion=expansion)


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
