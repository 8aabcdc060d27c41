"""Approximate search by inner product: an HNSW graph of usearch, as one array of bytes."""

from importlib.metadata import version
from typing import Any

import numpy as np

DTYPES = ("f32", "f16")


def engine() -> str:
    """The name and version of the library: another one may find other documents."""
    return f"usearch {version('usearch')}"


def build(vectors: np.ndarray, *, connectivity: int, expansion_add: int, dtype: str) -> np.ndarray:
    """The graph over the rows of `vectors` (n, d), float32: uint8.

    Built by one thread, in the order of the rows, so that equal vectors give equal bytes. Raises ValueError where
    the type of numbers in the graph is none of DTYPES.
    """
    from usearch.index import Index

    if dtype not in DTYPES:
        raise ValueError(f"There is no index_dtype {dtype!r}; seeds/policy/routes.csv may name {', '.join(DTYPES)}.")
    index = Index(
        ndim=vectors.shape[1], metric="ip", dtype=dtype, connectivity=connectivity, expansion_add=expansion_add
    )
    index.add(np.arange(len(vectors), dtype=np.uint64), vectors, threads=1)
    return np.frombuffer(index.save(), dtype=np.uint8)


def opened(graph: np.ndarray) -> Any:
    """The index over the bytes of `build`, which are read in place and must outlive it."""
    from usearch.index import Index

    return Index.restore(memoryview(graph), view=True)


def candidates(index: Any, queries: np.ndarray, *, count: int, expansion: int) -> list[np.ndarray]:
    """Rows near each query by the graph, at most `count`, in no order that counts; threads change nothing."""
    index.expansion_search = expansion
    found = index.search(queries, count)
    if len(queries) == 1:  # usearch gives one list in the place of a list of lists
        return [np.asarray(found.keys, dtype=np.int64)]
    return [keys[:n].astype(np.int64) for keys, n in zip(found.keys, found.counts.tolist(), strict=True)]
