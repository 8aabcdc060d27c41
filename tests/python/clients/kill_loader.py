"""A loader as the pipeline runs it: recover, needed − landed, ask, seal. Killed by test_kill."""

import time
from pathlib import Path

import worklist

from mathpinpoint.clients.journal import Journal
from mathpinpoint.land import replies


def run(folder: str, base_url: str, n_rows: int, concurrency: int) -> None:
    """Ask whatever of `n_rows` has not landed under `folder`, in slices of a third."""
    shards = Path(folder) / "shards"
    writer = worklist.write_shard(shards)

    def write(batches):
        writer(batches)
        time.sleep(0.03)  # so that a kill can fall between a shard and its journal's end

    client = worklist.client(base_url, concurrency=concurrency)
    with Journal(Path(folder) / "journal" / "llm_replies.jsonl") as journal:
        journal.recover(write)
        done = {row["query_id"] for row in worklist.landed(shards)}
        needed = [worklist.row(number) for number in range(n_rows)]
        needed = [row for row in needed if row["query_id"] not in done]
        for start in range(0, len(needed), max(1, n_rows // 3)):
            part = needed[start : start + n_rows // 3]
            replies.ask(
                worklist.batches(part), prompt_folder=worklist.PROMPTS, journal=journal,
                client=client, total=len(part), max_transport_failures=8,
                progress=lambda done, total, tokens: None,
            )
            journal.seal(write)
