"""The loader of landed.duplicate_verdicts."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.compute.guard import GUARD_VERSION, Verdict, compare
from mathpinpoint.compute.normalize import match_tokens
from mathpinpoint.land.records import records_batch


def _verdict(row: dict, max_insertion: int) -> Verdict:
    """Compares the texts, and the removed questions where both exist; either may conflict."""
    tokens = [match_tokens(row[name] or "") for name in ("text_a", "text_b")]
    texts = compare(*tokens, max_insertion=max_insertion)
    if texts.is_conflict or not (row["question_a"] and row["question_b"]):
        return texts
    tokens = [match_tokens(row[name]) for name in ("question_a", "question_b")]
    questions = compare(*tokens, max_insertion=max_insertion)
    return Verdict(
        questions.is_conflict, questions.conflict, texts.n_tokens_only_a, texts.n_tokens_only_b
    )


def rows(batches: Iterator[pa.RecordBatch], *, max_insertion: int) -> Iterator[pa.RecordBatch]:
    """Reads the work list of duplicate_verdicts. Lands one verdict per pair of documents."""
    for batch in batches:
        found = []
        for row in batch.to_pylist():
            verdict = _verdict(row, max_insertion)
            found.append(
                {
                    "doc_a": row["doc_a"],
                    "doc_b": row["doc_b"],
                    "guard_version": GUARD_VERSION,
                    "is_conflict": verdict.is_conflict,
                    "conflict": verdict.conflict,
                    "n_tokens_only_a": verdict.n_tokens_only_a,
                    "n_tokens_only_b": verdict.n_tokens_only_b,
                }
            )
        yield records_batch("duplicate_verdicts", found)
