"""One client over one work list, in a process of its own: `client.py ours|bare PORT REQUESTS CONCURRENCY`.

Prints its CPU seconds and wall seconds from the first request to the last reply; what both have in common, imports and
the work list, comes before.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import openai
import pyarrow as pa

from mathpinpoint.clients import prompts
from mathpinpoint.clients.journal import Journal
from mathpinpoint.clients.llm import ChatCompletions
from mathpinpoint.land import replies
from mathpinpoint.schemas import WORK

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
PAGE = "Write $\\frac{1}{k(k+1)} = \\frac{1}{k} - \\frac{1}{k+1}$, so that the sum telescopes to $n/(n+1)$. " * 45
BATCH_ROWS = 1000


def work(number: int) -> list[pa.RecordBatch]:
    """A judge's work list, its pages about 4,000 characters long."""
    sha256 = prompts.load(PROMPTS, "judge_prompt.md").sha256
    rows = [
        {
            "query_id": f"p_{one:08}", "doc_id": f"d_{one:08}", "query_sha256": "0" * 64, "doc_sha256": f"{one:064}",
            "prompt": "judge_prompt.md", "prompt_sha256": sha256, "model": "m-1",
            "parameters": '{"temperature": 0, "max_completion_tokens": 4000}', "truncation_chars": 30000,
            "layout": "1x1", "position": 1, "ask": 1, "attempt": 1, "label_round": "v1", "stage": "dense_top5",
            "policy": "v2", "query_text": f"Evaluate $\\sum_{{k=1}}^{{{one}}} 1/(k(k+1))$.",
            "doc_text": f"{one}. {PAGE}",
        }
        for one in range(number)
    ]
    schema = WORK["llm_replies"]
    return [
        pa.RecordBatch.from_pylist(rows[start : start + BATCH_ROWS], schema=schema)
        for start in range(0, number, BATCH_ROWS)
    ]


def ours(batches: list[pa.RecordBatch], base_url: str, concurrency: int) -> None:
    """The loader: it renders, sends, reads and journals, each reply fsynced."""
    client = ChatCompletions(
        base_url=base_url, api_key_env="", concurrency=concurrency, deadline_seconds=60, attempts=5,
        max_wait_seconds=120,
    )
    total = sum(batch.num_rows for batch in batches)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "llm_replies.jsonl") as journal:
        replies.ask(
            iter(batches), prompt_folder=PROMPTS, journal=journal, client=client, total=total,
            max_transport_failures=20, progress=lambda done, total, tokens: None,
        )
        if len(journal.keys()) != total:
            raise RuntimeError(f"{len(journal.keys())} of {total} replies are in the journal")


async def bare(bodies: Iterator[dict], base_url: str, concurrency: int) -> None:
    """The SDK alone: bodies that are made already, replies thrown away."""
    client = openai.AsyncOpenAI(api_key="no-key", base_url=base_url, max_retries=0, timeout=60)

    async def send() -> None:
        for body in bodies:
            extra = {name: value for name, value in body.items() if name not in ("model", "messages")}
            reply = await client.chat.completions.with_raw_response.create(
                model=body["model"], messages=body["messages"], extra_body=extra
            )
            if not reply.text:
                raise RuntimeError("an empty reply")

    await asyncio.gather(*(send() for _ in range(concurrency)))
    await client.close()


def main(system: str, port: int, number: int, concurrency: int) -> None:
    batches, base_url = work(number), f"http://127.0.0.1:{port}/v1"
    bodies = [one.body for one in replies.requests(batches, PROMPTS)] if system == "bare" else []
    used, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    if system == "bare":
        asyncio.run(bare(iter(bodies), base_url, concurrency))
    else:
        ours(batches, base_url, concurrency)
    wall, end = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    cpu = end.ru_utime + end.ru_stime - used.ru_utime - used.ru_stime
    print(json.dumps({"cpu": cpu, "wall": wall, "pid": os.getpid()}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
