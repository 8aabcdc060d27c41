"""Lands the hits of a retriever under evaluation."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from mathpinpoint.clients.profiles import load
from mathpinpoint.clients.retriever import (
    base_retriever,
    encode,
    load_retriever,
    matryoshka_sizes,
)
from mathpinpoint.evaluate.search import hits
from mathpinpoint.land.columns import landed_batch


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    documents: pa.Table,
    profile: str,
    model: str,
    model_path: str,
    fingerprint: str,
    depth: int,
    block: int,
    batch_size: int,
) -> Iterator[pa.RecordBatch]:
    """Reads `evaluation.queries` (query_id, query_text). Lands each query's first `depth` hits.

    `documents` (doc_id, doc_text) are searched exactly, once per Matryoshka size of the profile.
    `model_path` is a trained retriever's folder, or '' for the profile's untrained base; `model`
    is the name landed. `fingerprint` is that of the corpus.
    """
    spec = load(profile).retriever
    retriever = load_retriever(Path(model_path)) if model_path else base_retriever(spec, 0)
    sizes = matryoshka_sizes(spec.sizes, retriever.get_embedding_dimension())
    doc_ids = np.array(documents["doc_id"].to_pylist())
    vectors = encode(
        retriever, documents["doc_text"].to_pylist(), "document", batch_size=batch_size
    )
    for batch in batches:
        queries = encode(retriever, batch["query_text"].to_pylist(), "query", batch_size=batch_size)
        for size, found, scores in hits(
            queries, vectors, doc_ids, sizes=sizes, depth=depth, block=block
        ):
            yield _landed(batch["query_id"], doc_ids[found], scores, model, size, fingerprint)


def _landed(
    query_ids: pa.Array,
    doc_ids: np.ndarray,
    scores: np.ndarray,
    model: str,
    size: int,
    fingerprint: str,
) -> pa.RecordBatch:
    count, depth = doc_ids.shape
    return landed_batch(
        "evaluation_runs",
        model=[model] * (count * depth),
        dimensions=[size] * (count * depth),
        fingerprint=[fingerprint] * (count * depth),
        query_id=np.repeat(np.array(query_ids.to_pylist(), dtype=object), depth),
        rank=np.tile(np.arange(1, depth + 1), count),
        doc_id=doc_ids.reshape(-1).astype(object),
        score=scores.reshape(-1),
    )
