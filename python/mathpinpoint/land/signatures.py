"""The loader of landed.signatures."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.compute import minhash
from mathpinpoint.compute.normalize import NORM_VERSION, match_tokens
from mathpinpoint.compute.shingles import shingles
from mathpinpoint.land.records import records_batch


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    shingle_tokens: int,
    permutations: int,
    bands: int,
    rows: int,
    second_bands: int,
    second_rows: int,
    seed: int,
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of signatures. Lands each document's shingles and band hashes."""
    shape = {
        "permutations": permutations, "bands": bands, "rows": rows, "second_bands": second_bands,
        "second_rows": second_rows, "seed": seed,
    }
    scheme = minhash.scheme(shingle_tokens=shingle_tokens, **shape)
    for batch in batches:
        found = []
        for work in batch.to_pylist():
            tokens = match_tokens(work["doc_text"] or "")
            grams = shingles(tokens, size=shingle_tokens)
            found.append(
                {
                    "doc_id": work["doc_id"],
                    "scheme": scheme,
                    "norm_version": NORM_VERSION,
                    "n_tokens": len(tokens),
                    "shingles": grams,
                    "bands": minhash.bands(grams, **shape),
                }
            )
        yield records_batch("signatures", found)
