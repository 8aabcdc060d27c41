"""Ask a work list through the Batch API: hand in shards of it, wait, journal what came back.

Nothing is handed in twice: the intent is on the disk before the call that costs money, the shard's sha256 is in the
batch's metadata, and a batch whose id was lost is found by it and adopted. What did not come back stays on the work
list. A kill at any moment loses nothing: the batch goes on without us.
"""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from mathpinpoint.clients.batch_api import ENDED, BatchApi
from mathpinpoint.clients.batch_shards import BatchShards, Shard, request_line
from mathpinpoint.clients.budget import Budget, BudgetSpent
from mathpinpoint.clients.journal import Journal
from mathpinpoint.clients.llm import is_loopback
from mathpinpoint.clients.outcomes import Outcome
from mathpinpoint.land.batch_results import journal_results
from mathpinpoint.land.endpoint import EndpointDown, interrupted_by_sigterm, server_errors
from mathpinpoint.land.replies import Progress, Request, Tokens, requests


class BatchLimits(NamedTuple):
    """How large a batch may be, how many are handed in at a time, how often and how long to look for their end."""

    requests: int
    bytes: int
    at_once: int
    poll_seconds: float
    deadline_seconds: float


def ask(
    batches: Iterable[pa.RecordBatch], *, prompt_folder: Path, journal: Journal, client: BatchApi,
    shards: BatchShards, role: str, limits: BatchLimits, total: int, max_fruitless: int,
    progress: Progress, budget: Budget,
) -> None:
    """Send each request of the work list that neither the journal nor an open batch holds; journal what comes back.

    Open batches of `role` are waited for first, also those of an earlier command. Raises EndpointDown after
    `max_fruitless` batches in a row that brought nothing, or where the server does not answer; BudgetSpent
    once the batches in flight are back and the next request could pass the cap; KeyboardInterrupt on SIGINT and
    SIGTERM, at once: the batches go on, and the same command waits for them.
    """
    with client, interrupted_by_sigterm(), server_errors(client):
        for shard in shards.of_role(role):
            _require_same_server(shard, client.base_url)
            if shard.batch_id is None:
                _adopt_or_drop(shards, shard, client)
        in_flight = set().union(*(shard.keys() for shard in shards.of_role(role)))
        waiting = (
            one for one in requests(batches, prompt_folder) if one.key not in journal and one.key not in in_flight
        )
        _Run(waiting, journal, client, shards, role, limits, total, max_fruitless, progress, budget).run()


def journal_fetched(shards: BatchShards, journal: Journal) -> None:
    """Journal what was fetched when an earlier command was killed: before that journal is sealed."""
    for shard in [one for one in shards.open.values() if one.batch]:
        _finish(shards, shard, journal)


def _finish(shards: BatchShards, shard: Shard, journal: Journal):
    counts, rows = journal_results(shard, journal)
    shards.finish(shard, shard.batch["status"], **counts)
    return counts, rows


class _Run:
    def __init__(
        self, waiting: Iterator[Request], journal: Journal, client: BatchApi, shards: BatchShards, role: str,
        limits: BatchLimits, total: int, max_fruitless: int, progress: Progress, budget: Budget,
    ) -> None:
        self._waiting, self._journal, self._client, self._shards = waiting, journal, client, shards
        self._role, self._limits, self._total, self._max_fruitless = role, limits, total, max_fruitless
        self._progress, self._budget = progress, budget
        self._held: Request | None = None  # planned, and too much for the shard at hand
        self._reserved: dict[str, dict[str, float]] = {}  # USD by shard and request
        self._done, self._tokens, self._is_spent = 0, Tokens(0, 0), False

    def run(self) -> None:
        """Work until the list is at its end and no batch is open."""
        while True:
            while len(self._open()) < self._limits.at_once and (planned := self._plan()):
                self._hand_in(planned)
            if not self._open():
                break
            if not any([self._look(shard) for shard in self._open()]):
                time.sleep(self._limits.poll_seconds)
        if self._is_spent:
            raise BudgetSpent(self._budget.stopped(self._done, self._total))

    def _open(self) -> list[Shard]:
        return self._shards.of_role(self._role)

    def _plan(self) -> list[tuple[Request, float]]:
        """The requests of the next shard with what is set aside for each; none at the end or where the cap is."""
        planned: dict[str, tuple[Request, float]] = {}
        size = 0
        while request := self._next():
            length = len(request_line(request.key[0], request.body))
            is_full = len(planned) == self._limits.requests or size + length > self._limits.bytes
            if (planned and is_full) or request.key[0] in planned:
                self._held = request
                break
            if (reserved := self._budget.reserve(request.body)) is None:
                self._is_spent = not planned and not self._open()
                self._held = request
                break
            planned[request.key[0]] = (request, reserved)
            size += length
        return list(planned.values())

    def _next(self) -> Request | None:
        held, self._held = self._held, None
        return held or next(self._waiting, None)

    def _hand_in(self, planned: list[tuple[Request, float]]) -> None:
        lines = ((one.key[0], one.body, one.conditions) for one, _ in planned)
        shard = self._shards.intend(lines, self._role, self._client.base_url)
        self._reserved[shard.sha256] = {one.key[0]: usd for one, usd in planned}
        self._shards.note(event="submitted", sha256=shard.sha256, batch_id=self._submit(shard))

    def _submit(self, shard: Shard) -> str:
        """Hand a shard in; where no answer tells whether that worked, look before trying again."""
        import openai

        for count in range(1, self._client.attempts + 1):
            try:
                return self._client.submit(shard.file(".jsonl"), shard.sha256)
            except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError):
                if found := self._client.find(shard.sha256, self._shards.batch_ids):
                    return found
                if count == self._client.attempts:
                    raise
                time.sleep(min(self._limits.poll_seconds, 2.0**count))

    def _look(self, shard: Shard) -> bool:
        """See how a batch is doing, and take in its results if it has ended; has it?"""
        batch = self._client.look(shard.batch_id)
        if batch and batch["status"] not in ENDED:
            self._require_in_time(batch)
            self._progress(self._done + batch["request_counts"]["completed"], self._total, self._tokens)
            return False
        if batch is None:
            self._shards.finish(shard, "unknown to the server")
            self._settle(shard, [], f"{shard.batch_id} is unknown to it")
            return True
        for kind, name in ((".output.jsonl", "output_file_id"), (".errors.jsonl", "error_file_id")):
            if batch.get(name):
                self._client.fetch(batch[name], shard.file(kind))
        self._shards.note(event="fetched", sha256=shard.sha256, batch=_times_of(batch))
        _, rows = _finish(self._shards, self._shards.open[shard.sha256], self._journal)
        self._settle(shard, rows, _why(batch))
        return True

    def _settle(self, shard: Shard, rows: list[dict[str, Any]], why: str) -> None:
        """Count what a batch brought and cost; raises EndpointDown after too many that brought nothing."""
        reserved = self._reserved.pop(shard.sha256, {})
        for row in rows:
            usage = Outcome(**{name: row[name] for name in Outcome.__dataclass_fields__})
            self._budget.settle(reserved.pop(row["request_key"], 0.0), row["model"], usage)
        self._budget.reserved_usd -= sum(reserved.values())
        self._done += len(rows)
        self._tokens = Tokens(
            self._tokens.prompt + sum(row["prompt_tokens"] or 0 for row in rows),
            self._tokens.completion + sum(row["completion_tokens"] or 0 for row in rows),
        )
        self._progress(self._done, self._total, self._tokens)
        self._shards.fruitless = 0 if rows else self._shards.fruitless + 1
        if self._shards.fruitless >= self._max_fruitless:
            raise EndpointDown(
                f"{self._client.base_url}: {self._shards.fruitless} batches in a row brought nothing (the last one: "
                f"{why}). Check the model, the quota and the key, then run again. Every reply so far is kept."
            )

    def _require_in_time(self, batch: dict[str, Any]) -> None:
        if time.time() - batch["created_at"] > self._limits.deadline_seconds:
            raise EndpointDown(
                f"{self._client.base_url}: batch {batch['id']} is still {batch['status']} after "
                f"{self._limits.deadline_seconds:,.0f} seconds. Nothing is lost: run again to wait for it, or cancel "
                "it there, then run again: what it did is taken in, the rest asked anew."
            )


def _adopt_or_drop(shards: BatchShards, shard: Shard, client: BatchApi) -> None:
    """Find the batch of a shard whose id a kill lost; where there is none, its requests are asked anew."""
    if found := client.find(shard.sha256, shards.batch_ids):
        shards.note(event="submitted", sha256=shard.sha256, batch_id=found)
    else:
        shards.finish(shard, "not handed in")


def _require_same_server(shard: Shard, here: str) -> None:
    if shard.base_url != here and not (is_loopback(here) and is_loopback(shard.base_url)):
        raise EndpointDown(
            f"{shard.n_requests:,} requests are in a batch at {shard.base_url}, and the endpoint is now {here}. "
            f"Name the former with --base-url until they are back, or delete {shard.folder} to give them up."
        )


def _times_of(batch: dict[str, Any]) -> dict[str, Any]:
    names = ("id", "status", "created_at", "completed_at", "expired_at", "cancelled_at")
    return {name: batch.get(name) for name in names}


def _why(batch: dict[str, Any]) -> str:
    errors = (batch.get("errors") or {}).get("data") or [{}]
    return f"{batch['id']} {batch['status']} {errors[0].get('message') or ''}".strip()
