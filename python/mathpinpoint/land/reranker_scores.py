"""Lands the zero-shot reranker's score of each pair."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.clients import profiles
from mathpinpoint.clients.reranker import load_reranker
from mathpinpoint.land.columns import landed_batch


def rows(batches: Iterator[pa.RecordBatch], *, profile: str) -> Iterator[pa.RecordBatch]:
    """Reads `pending_reranker_scores`. Lands the score of each (query, document) pair.

    `profile` is a name or a path.
    """
    spec = profiles.load(profile).reranker
    reranker = load_reranker(spec)
    for batch in batches:
        pairs = list(
            zip(batch["query_text"].to_pylist(), batch["doc_text"].to_pylist(), strict=True)
        )
        yield landed_batch(
            "reranker_scores",
            query_id=batch["query_id"],
            doc_id=batch["doc_id"],
            model=[spec.model] * len(batch),
            score=reranker.score(pairs),
        )
