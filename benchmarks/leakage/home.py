"""A home whose queries are given texts, so that the project's own loaders and SQL find the leaks in them."""

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from measure import Clock, clock
from rich.console import Console

from mathpinpoint.pipeline import Pipeline, Settings
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED

TASK = """
select llm_tasks.prompt, prompts.prompt_sha256, llm_tasks.model, llm_tasks.parameters, llm_tasks.layout
from policy.llm_tasks inner join staging.active_policy using (policy, profile)
inner join policy.prompts on llm_tasks.prompt = prompts.prompt and prompts.is_current
where llm_tasks.task = 'query_extraction'
"""
HITS = """
select deduplicated.query_id, likenesses.eval_set, likenesses.item_id, likenesses.method
from queries.deduplicated inner join queries.likenesses
on deduplicated.kept_query_id = likenesses.text_id and not likenesses.is_fixture
"""


@dataclass(frozen=True)
class Found:
    """(query id, set, item id, method) of each hit, the pairs overlapped, and the seconds of the three steps."""

    hits: list[tuple[str, str, str, str]]
    n_pairs: int
    forms: Clock
    overlaps: Clock
    decision: Clock


def page_id(name: str) -> str:
    return "p_" + hashlib.sha256(name.encode()).hexdigest()[:24]


def found(folder: Path, queries: dict[str, str], sets: dict[str, Path]) -> Found:
    """Land the queries (by name) as pages that hold nothing else, then run the steps that find leaks."""
    pipeline = Pipeline(Settings(home=folder, profile="sample", evaluation=sets), Reporter(Console(file=sys.stderr)))
    warehouse = pipeline.warehouse
    pipeline.prepare()
    pipeline.land_evaluation_items()
    for table, rows in (("pages", _pages(queries)), ("page_texts", _texts(warehouse, queries)),
                        ("query_extractions", _replies(warehouse, queries))):
        schema = LANDED[table].schema
        part = pa.Table.from_pylist(rows, schema.remove(schema.get_field_index("landed_at")))
        warehouse.land(table, "bench", part.to_batches(), {})
    with clock() as forms:
        pipeline.land("query_forms")
    with clock() as overlaps:
        pipeline.land("leak_overlaps")
    with clock() as decision:
        pipeline.build("likenesses")
    (n_pairs,), = warehouse.execute("select count(*) from queries.overlapping_pairs where not is_fixture")
    return Found(warehouse.execute(HITS), n_pairs, forms, overlaps, decision)


def _pages(queries: dict[str, str]) -> list[dict]:
    return [
        {"page_id": page_id(name), "source": name, "format": "md", "raw": text.encode(), "n_bytes": len(text)}
        for name, text in queries.items()
    ]


def _texts(warehouse, queries: dict[str, str]) -> list[dict]:
    (version,) = warehouse.table("select extractor, extractor_version, norm_version from policy.versions").to_pylist()
    return [
        version | {"page_id": page_id(name), "outcome": "ok", "text": text, "text_sha256": _sha256(text),
                   "n_chars": len(text), "n_formulas": 0, "is_math_lossy": False, "extract_mode": "main",
                   "repetition_share": 0.0, "n_problems": 1}
        for name, text in queries.items()
    ]


def _replies(warehouse, queries: dict[str, str]) -> list[dict]:
    (task,) = warehouse.table(TASK).to_pylist()
    return [
        task | {"request_key": _sha256(name), "attempt": 1, "ask": 1, "query_id": page_id(name), "position": 1,
                "doc_sha256": _sha256(text), "status": "ok", "finish_reason": "stop", "model_reported": task["model"],
                "content": json.dumps({"has_query": True, "question_verbatim": None, "query": text,
                                       "from_page_question": False, "edit_ops": ["composed"]})}
        for name, text in queries.items()
    ]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
