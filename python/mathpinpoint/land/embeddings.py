"""Lands the vector of each document, query and evaluation item."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute

from mathpinpoint.clients import profiles
from mathpinpoint.clients.encoder import load_encoder
from mathpinpoint.land.columns import landed_batch
from mathpinpoint.schemas import LANDED


def rows(batches: Iterator[pa.RecordBatch], *, profile: str) -> Iterator[pa.RecordBatch]:
    """Reads `pending_embeddings`. Lands the L2-normalized vector of each text.

    Each kind is encoded apart, in the order given; an evaluation item is a query, under the query's prompt.
    `profile` is a name or a path.
    """
    spec = profiles.load(profile).encoder
    encoder = load_encoder(spec)
    for batch in batches:
        for kind in ("document", "query", "evaluation_item"):
            some = batch.filter(pyarrow.compute.equal(batch["kind"], kind))
            if not len(some):
                continue
            vectors = encoder.encode(some["text"].to_pylist(), "document" if kind == "document" else "query")
            yield landed_batch(
                "embeddings",
                kind=some["kind"],
                id=some["id"],
                text_sha256=some["text_sha256"],
                model=[spec.model] * len(some),
                vector=vector_array(vectors),
            )


def vector_array(vectors: np.ndarray) -> pa.Array:
    """A float32 matrix (n, d) as an Arrow list array, without a copy per row."""
    count, size = vectors.shape
    kind = LANDED["embeddings"].schema.field("vector").type
    offsets = pa.array(range(0, count * size + 1, size), type=pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(vectors.reshape(-1)), type=kind)
