"""The loader of landed.query_forms, and the forms that evaluation items share with it."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.compute.normalize import NORM_VERSION, match_tokens, query_key
from mathpinpoint.compute.shingles import shingles
from mathpinpoint.land.records import records_batch


def forms(text: str, shingle_tokens: int) -> dict:
    """Returns the columns by which a query and an evaluation item are compared."""
    tokens = match_tokens(text)
    return {
        "norm_version": NORM_VERSION,
        "query_key": query_key(text),
        "canonical_key": " ".join(tokens),
        "n_tokens": len(tokens),
        "shingles": shingles(tokens, size=shingle_tokens),
    }


def rows(batches: Iterator[pa.RecordBatch], *, shingle_tokens: int) -> Iterator[pa.RecordBatch]:
    """Reads the work list of query_forms. Lands the keys and shingles of each query text."""
    for batch in batches:
        found = [
            {"query_sha256": work["query_sha256"]} | forms(work["query_text"] or "", shingle_tokens)
            for work in batch.to_pylist()
        ]
        yield records_batch("query_forms", found)
