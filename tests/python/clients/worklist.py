"""A work list of judge requests, and shards of their replies, as the pipeline has them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.clients import prompts
from mathpinpoint.clients.journal import SCHEMA
from mathpinpoint.clients.llm import ChatCompletions
from mathpinpoint.schemas import WORK

PROMPTS = Path(__file__).parents[3] / "prompts"


def row(number: int, **values: object) -> dict[str, object]:
    """The row of query and document `number`; `values` replace columns."""
    prompt = str(values.get("prompt", "judge_prompt.md"))
    return {
        "query_id": f"p_{number:04}", "doc_id": f"d_{number:04}", "query_sha256": "q",
        "doc_sha256": "d", "prompt": prompt, "prompt_sha256": prompts.load(PROMPTS, prompt).sha256,
        "model": "m-1", "parameters": '{"temperature": 0}', "truncation_chars": 30000,
        "layout": "1x1", "position": 1, "ask": 1, "attempt": 1, "label_round": "v1",
        "stage": "dense_top5", "policy": "v2", "query_text": f"What is ${number}+1$?",
        "doc_text": f"It is ${number + 1}$.",
    } | values


def batches(rows: list[dict], size: int = 7) -> Iterator[pa.RecordBatch]:
    """The rows as record batches."""
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        yield pa.RecordBatch.from_pylist(part, schema=WORK["llm_replies"])


def client(base_url: str, **values: object) -> ChatCompletions:
    """A client that is quick to give up."""
    settings = {
        "api_key_env": "", "concurrency": 4, "deadline_seconds": 5, "attempts": 3,
        "max_wait_seconds": 5,
    } | values
    return ChatCompletions(base_url=base_url, **settings)


def write_shard(folder: Path):
    """A writer of shards that are named by their content."""

    def write(batches: Iterator[pa.RecordBatch]) -> None:
        table = pa.Table.from_batches(list(batches), SCHEMA)
        name = hashlib.sha256(str(table.to_pylist()).encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, folder / f"{name}.part")
        (folder / f"{name}.part").rename(folder / f"{name}.parquet")

    return write


def landed(folder: Path) -> list[dict]:
    """The rows of all shards."""
    tables = [pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]
    return [one for table in tables for one in table.to_pylist()]
