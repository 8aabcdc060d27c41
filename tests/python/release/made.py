"""A small release for the tests of this folder: 40 queries, 60 documents, 300 judged pairs."""

import json
import random
from pathlib import Path

import pyarrow as pa

from mathpinpoint.release.writer import write_release

N_QUERIES, N_DOCUMENTS, N_PAIRS = 40, 60, 300
SHARDS = {"corpus": 25, "queries": 100, "judgments": 120}
GROUPS = {"corpus": 10, "queries": 7, "judgments": 50}
FACTS = {
    "pretty_name": "MathPinpoint test",
    "license": "cc-by-4.0",
    "policy": "v2",
    "profile": "sample",
    "is_sample": True,
    "models": {"judge": "sample-truth", "encoder": "all-minilm-l6-v2"},
    "label_mix": [{"stage": "dense_top5", "judge": "llm", "label": 2, "pairs": 71}],
    "funnel": [{"unit": "page", "reason": "extraction_empty", "rows": 1_234}],
    "seeds": {"routes.csv": "a" * 64},
    "prompts": {"judge_prompt.md": "b" * 64},
}
CODES = {2: ["full_solution"], 1: ["correct_partial_method"], 0: ["wrong_problem", "topic_only"]}
VALIDITY = {2: "correct", 1: "minor_error", 0: "not_applicable"}


def corpus() -> pa.Table:
    ids = [f"d_{number:024x}" for number in range(N_DOCUMENTS)]
    texts = [f"Proof {n}: $x^2 ≤ {n}$ holds for ℝ. " * (n % 5 + 1) for n in range(N_DOCUMENTS)]
    return pa.table({
        "did": ids, "text": texts, "n_chars": pa.array([len(text) for text in texts], pa.int64()),
        "multi_problem": [number % 9 == 0 for number in range(N_DOCUMENTS)],
    })


def queries() -> pa.Table:
    numbers = range(N_QUERIES)
    return pa.table({
        "qid": [f"p_{number:024x}" for number in numbers],
        "text": [f"Show that $x^2 \\le {number}$ \"for\" all\n$x$" for number in numbers],
        "source_did": [f"d_{number:024x}" if number % 3 else None for number in numbers],
        "from_page_question": [number % 2 == 0 for number in numbers],
        "copied_share": pa.array([number / N_QUERIES for number in numbers], pa.float64()),
    })


def _pair(draw: random.Random, number: int, query: int, document: int) -> dict:
    rank, is_llm, label = number % 20 + 1, number % 3 != 0, draw.choice([0, 0, 1, 2])
    is_evaluable = number % 50 != 0
    label = label if is_evaluable else None
    return {
        "qid": f"p_{query:024x}", "did": f"d_{document:024x}", "dense_rank": rank,
        "bm25_rank": rank + 3 if number % 2 else None, "ngram5_rank": None,
        "fused_rank": rank if number % 4 else None, "rrf_score": 2 / (60 + rank),
        "stage": "dense_top5" if is_llm else "short_doc", "label": label,
        "query_evaluable": is_evaluable, "is_source_page": False,
        "judge": "llm" if is_llm else "rm8b",
        "rm8b_score": None if is_llm else (label or 0) + 0.25, "dense_score": 1 - rank / 100,
        "reranker_score": None if number % 5 else rank / 7,
        "answer_validity": VALIDITY.get(label, "uncertain") if is_llm else None,
        "reason_codes": CODES.get(label, ["missing_context"]) if is_llm else None,
        "confidence": 0.75 if is_llm else None, "rationale": "It is | so." if is_llm else None,
        "rubric_sha256": "b" * 64 if is_llm else None, "label_round": "v1",
    }


def judgments() -> pa.Table:
    draw = random.Random(5)
    pairs = sorted(draw.sample(range(N_QUERIES * N_DOCUMENTS), N_PAIRS))
    rows = []
    for number, pair in enumerate(pairs):
        query, document = divmod(pair, N_DOCUMENTS)
        rows.append(_pair(draw, number, query, document))
    kinds = {"ngram5_rank": pa.int64(), "reason_codes": pa.list_(pa.string())}
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return pa.table({name: pa.array(column, kinds.get(name)) for name, column in columns.items()})


def tables() -> dict[str, pa.Table]:
    return {"corpus": corpus(), "queries": queries(), "judgments": judgments()}


def streams(found: dict[str, pa.Table], batch_rows: int = 1000) -> dict:
    """Openers of the tables' streams, in batches of at most so many rows."""

    def opener(table: pa.Table):
        return lambda: pa.RecordBatchReader.from_batches(
            table.schema, table.to_batches(max_chunksize=batch_rows)
        )

    return {config: opener(table) for config, table in found.items()}


def write(folder: Path, found: dict | None = None, batch_rows: int = 1000, **options) -> Path:
    opened = streams(tables() if found is None else found, batch_rows)
    facts = options.pop("facts", FACTS)
    return write_release(
        folder, opened, facts, rows_per_shard=SHARDS, row_group_rows=GROUPS, **options
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path within."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def with_column(table: pa.Table, name: str, values: list) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, name, pa.array(values, table.schema.field(name).type))


def as_json(codes: list[str] | None) -> str | None:
    return None if codes is None else json.dumps(codes, separators=(",", ":"))
