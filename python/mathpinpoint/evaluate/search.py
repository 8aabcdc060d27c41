"""Exact search over a whole corpus, once per Matryoshka size."""

from collections.abc import Iterator, Sequence

import numpy as np

from mathpinpoint.compute import dense


def hits(
    queries: np.ndarray,
    documents: np.ndarray,
    doc_ids: np.ndarray,
    *,
    sizes: Sequence[int],
    depth: int,
    block: int,
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """For each size: the size, the positions of the best documents and their cosines.

    `queries` (q, d) and `documents` (n, d) are float32; both are cut to the size and normalized
    anew. Positions and cosines are (q, min(depth, n)), best first; ties go to the smaller id.
    Documents are read `block` rows at a time.
    """
    for size in sizes:
        found, scores = dense.top_k(
            cut(queries, size), cut(documents, size), doc_ids, k=depth, block=block
        )
        yield size, found, scores / dense.SCALE


def cut(vectors: np.ndarray, size: int) -> np.ndarray:
    """The first `size` dimensions of each row, L2-normalized; a row of zeros stays one."""
    shorter = vectors[:, :size]
    norms = np.linalg.norm(shorter, axis=1, keepdims=True)
    return shorter / np.where(norms > 0, norms, 1)
