"""Lands the length of each document in the reranker's tokens."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.clients import profiles
from mathpinpoint.clients.tokenizer import load_tokenizer
from mathpinpoint.land.columns import landed_batch


def rows(batches: Iterator[pa.RecordBatch], *, profile: str) -> Iterator[pa.RecordBatch]:
    """Reads `pending_token_counts`. Lands the number of tokens of each document.

    Special tokens that the tokenizer adds are not counted. `profile` is a name or a path.
    """
    spec = profiles.load(profile).tokenizer
    tokenizer = load_tokenizer(spec)
    for batch in batches:
        texts = batch["doc_text"].to_pylist()
        found = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        yield landed_batch(
            "token_counts",
            doc_id=batch["doc_id"],
            tokenizer=[spec.model] * len(batch),
            n_tokens=[len(encoding.ids) for encoding in found],
        )
