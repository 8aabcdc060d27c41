"""What an approximate search misses: a sample of its queries is searched exactly as well."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from mathpinpoint.compute import dense
from mathpinpoint.compute.postings import Hits
from mathpinpoint.land import search_index
from mathpinpoint.land.columns import landed_batch
from mathpinpoint.land.search_index import Parameters, prepared, vectors_of

__all__ = ["prepared", "rows"]
GRAPH = ("connectivity", "expansion_add", "expansion_search", "index_dtype")
WIDER = 2  # times the expansion: does a wider search find what is missed?


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    route: str,
    documents: pa.Table | Path,
    depth: int,
    parameters: Parameters,
    query_vectors: pa.Table | Path,
    index_folder: Path | None = None,
) -> Iterator[pa.RecordBatch]:
    """Reads `pending_recall_checks`. Lands how many of the exact top `depth` the search finds, and a wider one.

    The options are those of `runs`, so that both search the same index.
    """
    index = search_index.opened(route, documents, parameters, index_folder)
    vectors = search_index.opened(search_index.QUERIES, query_vectors, parameters, index_folder)
    expansion = int(parameters["expansion_search"])
    told = json.dumps({name: parameters[name] for name in GRAPH})
    for batch in batches:
        asked = vectors_of(vectors, batch.column("query_id").to_pylist())
        exact, found, wider = (
            _lists(dense.search(one, asked, k=depth, bits=int(parameters["fixed_point_bits"]), expansion=width))
            for one, width in ((replace(index, graph=None), 0), (index, expansion), (index, WIDER * expansion))
        )
        yield landed_batch(
            "recall_checks",
            query_id=batch["query_id"],
            route=batch["route"],
            fingerprint=batch["fingerprint"],
            engine=[index.engine] * len(batch),
            parameters=[told] * len(batch),
            n_exact=[len(right) for right in exact],
            n_found=_n_shared(exact, found),
            n_found_wider=_n_shared(exact, wider),
        )


def _lists(hits: Hits) -> list[np.ndarray]:
    return np.split(hits.docs, np.cumsum(hits.counts)[:-1])


def _n_shared(left: list[np.ndarray], right: list[np.ndarray]) -> list[int]:
    return [len(np.intersect1d(a, b)) for a, b in zip(left, right, strict=True)]
