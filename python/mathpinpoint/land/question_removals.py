"""The loader of landed.question_removals."""

import json
from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.compute.normalize import NORM_VERSION, canonical_text, sha256_text
from mathpinpoint.compute.removal import REMOVAL_VERSION, remove_question
from mathpinpoint.land.records import records_batch


def _row(work: dict, max_share: float, max_extra_chars: int) -> dict:
    text, question, blocks = work["text"] or "", work["question_verbatim"] or "", work["blocks"] or "[]"
    found = remove_question(
        text, question, zones=json.loads(blocks), max_share=max_share, max_extra_chars=max_extra_chars
    )
    return {
        "page_id": work["page_id"],
        "text_sha256": work["text_sha256"],
        "blocks_sha256": sha256_text(blocks),
        "question_sha256": sha256_text(question),
        "removal_version": REMOVAL_VERSION,
        "norm_version": NORM_VERSION,
        "outcome": found.outcome,
        "spans": json.dumps(found.spans),
        "n_removed_chars": sum(end - start for start, end, _, _ in found.spans),
        "residue_share": found.residue_share,
        "text": found.text,
        "canonical_sha256": sha256_text(canonical_text(found.text)),
        "n_chars": len(found.text),
        "n_prose_tokens": found.n_prose_tokens,
        "n_math_spans": found.n_math_spans,
    }


def rows(
    batches: Iterator[pa.RecordBatch], *, max_share: float, max_extra_chars: int
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of question_removals. Lands each page's text without its question."""
    for batch in batches:
        found = [_row(work, max_share, max_extra_chars) for work in batch.to_pylist()]
        yield records_batch("question_removals", found)
