"""A loader by the Batch API as the pipeline runs it, that can kill itself at a named step. Killed by its tests."""

import os
import signal
from pathlib import Path

import worklist

from mathpinpoint.clients.batch_api import BatchApi
from mathpinpoint.clients.batch_shards import BatchShards
from mathpinpoint.clients.budget import Budget
from mathpinpoint.clients.journal import Journal
from mathpinpoint.land import batched

LIMITS = batched.BatchLimits(requests=20, bytes=1_000_000, at_once=2, poll_seconds=0.02, deadline_seconds=60)
STEPS = ("intended", "uploaded", "created", "submitted", "polled", "fetching", "fetched", "journalled", "finished")


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run(folder: str, base_url: str, rows: list[dict], step: str | None = None) -> None:
    """Ask whatever of `rows` has not landed under `folder`, pass after pass; die at the first `step`."""
    api, shards_type, journal_type = dying(step)
    shards_folder = Path(folder) / "shards"
    write = worklist.write_shard(shards_folder)
    client = api(base_url=base_url, api_key_env="", attempts=3, deadline_seconds=5)
    with journal_type(Path(folder) / "journal" / "llm_replies.jsonl") as journal:
        shards = shards_type(Path(folder) / "journal" / "llm_replies.batches")
        batched.journal_fetched(shards, journal)
        journal.recover(write)
        while needed := pending(rows, shards_folder):
            batched.ask(
                worklist.batches(needed), prompt_folder=worklist.PROMPTS, journal=journal, client=client,
                shards=shards, role="judge", limits=LIMITS, total=len(needed), max_fruitless=3,
                progress=lambda done, total, tokens: None, budget=Budget(),
            )
            journal.seal(write)


def pending(rows: list[dict], shards_folder: Path) -> list[dict]:
    done = {row["query_id"] for row in worklist.landed(shards_folder)}
    return [row for row in rows if row["query_id"] not in done]


def dying(step: str | None):
    """The client, the open shards and the journal, each dying once it did what `step` names."""

    class Api(BatchApi):
        def create(self, file_id, sha256):
            if step == "uploaded":
                kill()
            batch_id = super().create(file_id, sha256)
            if step == "created":
                kill()
            return batch_id

        def look(self, batch_id):
            batch = super().look(batch_id)
            if step == "polled":
                kill()
            return batch

        def fetch(self, file_id, target):
            if step == "fetching":
                target.with_name(target.name + ".part").write_bytes(b'{"custom_id": "half')
                kill()
            super().fetch(file_id, target)

    class Shards(BatchShards):
        def note(self, **event):
            super().note(**event)
            if event["event"] == step:
                kill()

    class Half(Journal):
        def extend(self, rows):
            super().extend(rows[: len(rows) // 2] if step == "journalled" else rows)
            if step == "journalled":
                kill()

    return Api, Shards, Half

