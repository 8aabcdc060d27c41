"""Search: the documents that a route finds for each query."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from mathpinpoint.compute import bm25, dense, ngrams
from mathpinpoint.compute.postings import Hits
from mathpinpoint.compute.tokenizers import tokenizer
from mathpinpoint.land import search_index
from mathpinpoint.land.search_index import Parameters, prepared, vectors_of
from mathpinpoint.schemas import LANDED

__all__ = ["prepared", "rows"]
SCHEMA = pa.schema([field for field in LANDED["runs"].schema if field.name != "landed_at"])
QUERIES = 4_096  # searched together
LEXICAL_ENGINE = "kernel"


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    route: str,
    documents: pa.Table | Path,
    depth: int,
    parameters: Parameters,
    query_vectors: pa.Table | Path | None = None,
    index_folder: Path | None = None,
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of runs (one route). Lands its top `depth` per query, ranks from 1.

    `documents` is the searched corpus, a table or Parquet of (doc_id, doc_text), for dense of
    (doc_id, vector) with `query_vectors` (query_id, vector), or what `prepared` made of them. `parameters` is the
    route's row of the seed `routes`: fixed_point_bits; of lexical routes the tokenizer, and k1 and b, or
    shingle_tokens; of dense max_exact_documents and the parameters of the graph above that. A query without hits is
    one row of null rank. Rows do not depend on how the work list is cut, nor on threads.
    An index is built once, kept in the process and, where `index_folder` is named, in files, while corpus,
    parameters and tokenizer stay the same. Raises ValueError where there is no document to search.
    """
    index = search_index.opened(route, documents, parameters, index_folder)
    vectors = None
    if route == "dense":
        vectors = search_index.opened(search_index.QUERIES, query_vectors, parameters, index_folder)
    for batch in _grouped(batches):
        others = set(batch.column("route").to_pylist()) - {route}
        if others:
            raise ValueError(f"The work list of route {route} holds rows of {sorted(others)}.")
        if batch.num_rows and not index.doc_ids:
            raise ValueError(
                f"corpus.documents holds no document, and {batch.num_rows} queries wait to search it by route {route}. "
                "Run `mathpinpoint run`: it lands the documents first."
            )
        hits = _search(route, index, batch, vectors, depth, parameters)
        engine = index.engine if route == "dense" else LEXICAL_ENGINE
        yield _landed(batch, hits, index.doc_ids, engine, int(parameters["fixed_point_bits"]))


def _grouped(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of QUERIES: a search costs less per query in large groups."""
    held, n_held = [], 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, QUERIES - n_held)
            held, n_held, batch = [*held, part], n_held + part.num_rows, batch.slice(part.num_rows)
            if n_held == QUERIES:
                yield pa.concat_batches(held)
                held, n_held = [], 0
    if held:
        yield pa.concat_batches(held)


def _search(route, index, batch: pa.RecordBatch, vectors, depth: int, parameters: Parameters) -> Hits:
    bits = int(parameters["fixed_point_bits"])
    if route == "dense":
        asked = vectors_of(vectors, batch.column("query_id").to_pylist())
        return dense.search(index, asked, k=depth, bits=bits, expansion=int(parameters["expansion_search"]))
    queries = [tokenizer(parameters["tokenizer"])(text) for text in batch.column("query_text").to_pylist()]
    if route == "bm25":
        return bm25.search(index, queries, k=depth)
    return ngrams.search(index, queries, bits=bits, k=depth)


def _landed(batch, hits: Hits, doc_ids: list[str], engine: str, bits: int):
    """The hits as rows, one row of nulls for a query without any."""
    n_rows = np.maximum(hits.counts, 1)
    query_of = np.repeat(np.arange(batch.num_rows), n_rows)
    first = np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
    is_hit = np.repeat(hits.counts > 0, n_rows)

    def spread(values: np.ndarray) -> pa.Array:
        wide = np.zeros(len(is_hit), dtype=values.dtype)
        wide[is_hit] = values
        return pa.array(wide, mask=~is_hit)

    names = pa.array([doc_ids[number] for number in hits.docs.tolist()], pa.string())
    number = spread(np.arange(len(hits.docs)))
    columns = {
        "query_id": batch.column("query_id").take(query_of),
        "route": batch.column("route").take(query_of),
        "fingerprint": batch.column("fingerprint").take(query_of),
        "engine": pa.array([engine] * len(query_of), pa.string()),
        "rank": pa.array(np.arange(len(query_of)) - first + 1, mask=~is_hit),
        "doc_id": names.take(number),
        "score_fixed": spread(hits.scores),
        "score": spread(np.ldexp(hits.scores.astype(np.float64), -bits)),
        "n_match": pa.nulls(len(query_of), pa.int64()) if hits.matches is None else spread(hits.matches),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in SCHEMA.names], schema=SCHEMA)
