"""What the LLM loaders share: ask every request of a work list once, journal every reply.

The order of a stage: `journal.recover(write)`, then dbt makes the work list, then `ask`, then
`journal.seal(write)`. A kill at any moment loses at most the requests in flight.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from mathpinpoint.clients import prompts
from mathpinpoint.clients.budget import Budget, BudgetSpent
from mathpinpoint.clients.commits import Commits
from mathpinpoint.clients.journal import Journal, Key
from mathpinpoint.clients.journal import batches as record_batches
from mathpinpoint.clients.llm import ChatCompletions, request_body, request_key
from mathpinpoint.clients.outcomes import Outcome, is_ascribed_to_endpoint
from mathpinpoint.land.endpoint import EndpointDown
from mathpinpoint.schemas import CONDITIONS

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
GRACE_SECONDS = 5.0  # for the requests in flight when a run is stopped
CHARS_PER_TOKEN = 4  # of an estimate
Row = dict[str, Any]


class Tokens(NamedTuple):
    """Tokens that the replies of a run report."""

    prompt: int
    completion: int


Progress = Callable[[int, int, Tokens], None]


@dataclass(frozen=True)
class Request:
    """A request of the work list: what identifies it, what goes out, its conditions."""

    key: Key
    body: dict[str, Any]
    conditions: Row


def rows(
    batches: Iterable[pa.RecordBatch], *, journal: Journal, **options: Any
) -> Iterator[pa.RecordBatch]:
    """Ask (see `ask`), then give what the journal holds, ordered by (request_key, attempt).

    The journal keeps the rows until `journal.seal` wrote them into a shard.
    """
    ask(batches, journal=journal, **options)
    yield from record_batches(journal.rows())


def ask(
    batches: Iterable[pa.RecordBatch], *, prompt_folder: Path, journal: Journal,
    client: ChatCompletions, total: int, max_transport_failures: int, progress: Progress,
    budget: Budget | None = None,
) -> None:
    """Send each request of the work list that the journal does not hold; journal each reply.

    After each reply `progress(done, total, tokens)` is called; `total` is the caller's number of
    rows. What it raises, SIGINT and SIGTERM (both as KeyboardInterrupt) stop the run cleanly:
    replies that arrive within GRACE_SECONDS are journalled first. Raises BudgetSpent, after the
    replies in flight, before a request that could pass the cap of `budget`; EndpointDown after
    `max_transport_failures` requests in a row that the endpoint failed, and at the end if it
    failed all.
    """
    waiting = (one for one in requests(batches, prompt_folder) if one.key not in journal)
    asyncio.run(_Run(waiting, journal, client, total, max_transport_failures, progress, budget or Budget()).run())


def estimate(batches: Iterable[pa.RecordBatch], prompt_folder: Path) -> tuple[int, int]:
    """Number of requests and of prompt tokens, at CHARS_PER_TOKEN characters a token."""
    count = chars = 0
    for request in requests(batches, prompt_folder):
        count += 1
        chars += sum(len(message["content"]) for message in request.body["messages"])
    return count, chars // CHARS_PER_TOKEN


def requests(batches: Iterable[pa.RecordBatch], prompt_folder: Path) -> Iterator[Request]:
    """The requests of a work list, in its order, each (request_key, attempt) once.

    Raises ValueError if a prompt file is not the one that the work list was made with.
    """
    loaded: dict[str, prompts.Prompt] = {}
    seen: set[Key] = set()
    for row in (row for batch in batches for row in batch.to_pylist()):
        name = row["prompt"]
        if name not in loaded:
            loaded[name] = prompts.load(prompt_folder, name)
        request = _request(row, loaded[name])
        if request.key not in seen:
            seen.add(request.key)
            yield request


def landed_row(request_key: str, conditions: Row, outcome: Outcome) -> Row:
    """A row of the journal: the same by every transport."""
    return {"request_key": request_key, **conditions, **vars(outcome)}


def _request(row: Row, prompt: prompts.Prompt) -> Request:
    if prompt.sha256 != row["prompt_sha256"]:
        raise ValueError(
            f"the work list was made with another {prompt.name} (sha256 {row['prompt_sha256']}) "
            f"than the one at hand ({prompt.sha256}). Run dbt build, then run again."
        )
    body = request_body(
        model=row["model"],
        messages=prompt.render(query=row["query_text"], page=row["doc_text"]),
        response_format=prompt.response_format,
        ask=row["ask"],
        parameters=row["parameters"],
    )
    conditions = {name: row[name] for name, _ in CONDITIONS}
    return Request((request_key(body), row["attempt"]), body, conditions)


class _Run:
    """One run of `ask`: as many tasks as the client has slots, and one that commits."""

    def __init__(
        self, waiting: Iterator[Request], journal: Journal, client: ChatCompletions, total: int,
        max_transport_failures: int, progress: Progress, budget: Budget,
    ) -> None:
        self._budget, self._is_spent = budget, False
        self._waiting, self._client, self._total = waiting, client, total
        self._max_failures, self._progress = max_transport_failures, progress
        self._commits = Commits(journal)
        self._held: list[Row] = []  # failures of the endpoint, landed once it answers again
        self._is_stopping = False
        self._done, self._tokens = 0, Tokens(0, 0)

    async def run(self) -> None:
        """Work until the list is at its end, or until a signal or an exception stops it."""
        self._settled = asyncio.Event()
        async with self._client:
            with _signals() as stopped:
                tasks = [asyncio.create_task(self._work()) for _ in range(self._client.concurrency)]
                work = asyncio.create_task(asyncio.wait(tasks, return_when="FIRST_EXCEPTION"))
                stop = asyncio.create_task(stopped.wait())
                await asyncio.wait({work, stop}, return_when="FIRST_COMPLETED")
                self._is_stopping = True
                await asyncio.wait(tasks, timeout=GRACE_SECONDS)
                for task in [*tasks, work, stop]:
                    task.cancel()
                results = await asyncio.gather(*tasks, return_exceptions=True)
                await self._commits.drain()
                is_stopped = stopped.is_set()
        if is_stopped:
            raise KeyboardInterrupt
        for result in results:
            if isinstance(result, Exception):
                raise result
        await self._settle_held()
        if self._is_spent:
            raise BudgetSpent(self._budget.stopped(self._done, self._total))

    async def _work(self) -> None:
        while not self._is_stopping and (request := next(self._waiting, None)):
            reserved = await self._reserved(request.body)
            if reserved is None:
                break
            outcome = await self._client.ask(request.body)
            self._budget.settle(reserved, request.body["model"], outcome)
            self._settled.set()
            await self._settle(request, outcome)

    async def _reserved(self, body: dict[str, Any]) -> float | None:
        """What is set aside for a request, once there is room under the cap; None where there will be none."""
        while not (self._is_spent or self._is_stopping):
            if (reserved := self._budget.reserve(body)) is not None:
                return reserved
            self._is_spent = not self._budget.reserved_usd
            if self._is_spent:
                self._settled.set()
            else:
                self._settled.clear()
                await self._settled.wait()
        return None

    async def _settle(self, request: Request, outcome: Outcome) -> None:
        row = landed_row(request.key[0], request.conditions, outcome)
        if is_ascribed_to_endpoint(outcome):
            self._held.append(row)
            if len(self._held) >= self._max_failures:
                self._raise_down()
        else:
            held, self._held = self._held, []
            await self._land([row] if self._is_stopping else [*held, row])

    async def _settle_held(self) -> None:
        """Failures at the end: of their requests if others got through, else of the endpoint."""
        if self._held and not self._done:
            self._raise_down()
        if self._held:
            await self._land(self._held)

    async def _land(self, rows: list[Row]) -> None:
        await self._commits.commit(rows)
        self._done += len(rows)
        self._tokens = Tokens(
            self._tokens.prompt + sum(row["prompt_tokens"] or 0 for row in rows),
            self._tokens.completion + sum(row["completion_tokens"] or 0 for row in rows),
        )
        self._progress(self._done, self._total, self._tokens)

    def _raise_down(self) -> None:
        last = self._held[-1]
        status = f"HTTP {last['http_status']}: " if last["http_status"] else ""
        key = self._client.api_key_env or "no variable"
        raise EndpointDown(
            f"{self._client.base_url} failed {len(self._held)} requests in a row (the last "
            f"one: {status}{last['error']}). Check base_url, model and api_key_env ({key}) in the "
            "profile, then run again. Every reply so far is kept, and no attempt is used up."
        )


@contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """An event that SIGINT and SIGTERM set, where this is the main thread."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    is_main = threading.current_thread() is threading.main_thread()
    before = {one: signal.getsignal(one) for one in STOP_SIGNALS if is_main}
    for one in before:
        loop.add_signal_handler(one, stopped.set)
    try:
        yield stopped
    finally:
        for one, handler in before.items():
            loop.remove_signal_handler(one)
            signal.signal(one, handler)
