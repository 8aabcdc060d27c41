"""The Batch API over real HTTP: bad batches are asked again, killed loaders pay nothing twice."""

import importlib.resources
import json
import multiprocessing
import os
import signal
from collections import Counter
from dataclasses import fields
from pathlib import Path

import batch_loader
import pytest
import worklist

from mathpinpoint.clients.batch_api import BatchApi
from mathpinpoint.clients.batch_shards import BatchShards
from mathpinpoint.clients.budget import Budget, BudgetSpent, Price
from mathpinpoint.clients.journal import Journal
from mathpinpoint.clients.outcomes import Outcome
from mathpinpoint.land import batched, replies
from mathpinpoint.sample.llm import SampleServer
from mathpinpoint.sample.truth import Page, read_truth

TRUTH = Path(str(importlib.resources.files("mathpinpoint.sample") / "web" / "truth.jsonl"))
N_ROWS = 50  # three shards of twenty at most
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["openai", "mathpinpoint.land.batched", "pyarrow.parquet"])


@pytest.fixture(scope="module")
def running():
    if not TRUTH.is_file():
        pytest.skip("the sample web is not there")
    with SampleServer(TRUTH, disagreement=0.0, seed=1) as server:
        yield server


@pytest.fixture
def server(running):
    running.set_misbehaviour({})
    running.reset()
    return running


@pytest.fixture(scope="module")
def texts():
    return list(dict.fromkeys(page.query for page in read_truth(TRUTH) if isinstance(page, Page) and page.query))


@pytest.fixture
def rows(texts, tmp_path):
    """A work list that no other test asks: the parameters name it, and so each test has batches of its own."""
    return [
        worklist.row(
            number, prompt="query_check_prompt.md", model="sample-truth", query_text=texts[number], doc_text=None,
            parameters=json.dumps({"temperature": 0, "max_tokens": 500, "user": str(tmp_path)}),
        )
        for number in range(N_ROWS)
    ]


def ask(rows, journal, shards, server, budget=None, **limits):
    client = BatchApi(base_url=server.base_url, api_key_env="", attempts=2, deadline_seconds=5)
    batched.ask(
        worklist.batches(rows), prompt_folder=worklist.PROMPTS, journal=journal, client=client, shards=shards,
        role="judge", limits=batch_loader.LIMITS._replace(**limits), total=len(rows), max_fruitless=3,
        progress=lambda done, total, tokens: None, budget=budget or Budget(),
    )


def opened(folder):
    return BatchShards(folder / "j.batches")


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "j.jsonl") as one:
        yield one


def test_rows_are_those_of_the_online_transport(server, rows, journal, tmp_path):
    ask(rows, journal, opened(tmp_path), server)
    assert server.counts()["batches"] == 3 and server.counts()["batch_requests"] == N_ROWS
    with Journal(tmp_path / "online.jsonl") as other:
        replies.ask(
            worklist.batches(rows), prompt_folder=worklist.PROMPTS, journal=other, total=N_ROWS,
            client=worklist.client(server.base_url), max_transport_failures=3, progress=lambda *call: None,
        )
        online = list(other.rows())
    found = list(journal.rows())
    differing = {"sent_at", "latency_seconds", "provider_request_id", "raw"}
    assert {field.name for field in fields(Outcome)} > differing
    for one, two in zip(found, online, strict=True):
        assert one.keys() == two.keys()
        same = one.keys() - differing
        assert {name: one[name] for name in same} == {name: two[name] for name in same}
        assert json.loads(one["raw"])["choices"] == json.loads(two["raw"])["choices"]
    assert [path.name for path in (tmp_path / "j.batches").iterdir()] == ["log.jsonl"]


def test_bad_batches_are_asked_again_until_each_reply_is_one_row(server, rows, tmp_path):
    server.set_misbehaviour({
        "batch_expired": 0.4, "batch_failed": 0.3, "batch_missing": 0.1, "batch_duplicate": 0.3, "batch_foreign": 0.3,
        "rate_limit": 0.05, "server_error": 0.05, "refusal": 0.1, "invalid_json": 0.1,
    })
    batch_loader.run(str(tmp_path), server.base_url, rows)
    landed = worklist.landed(tmp_path / "shards")
    assert Counter(row["query_id"] for row in landed) == Counter(row["query_id"] for row in rows)
    events = [json.loads(line) for line in (tmp_path / "journal/llm_replies.batches/log.jsonl").open()]
    ends = [event for event in events if event["event"] == "finished"]
    assert {"completed", "expired", "failed"} <= {event["outcome"] for event in ends}
    assert sum(event.get("foreign", 0) for event in ends) and sum(event.get("duplicate", 0) for event in ends)
    assert sum(event["rows"] for event in ends) == N_ROWS
    statuses = Counter(row["status"] for row in landed)
    assert statuses["http_error"] and statuses["ok"] > N_ROWS / 2


@pytest.mark.parametrize("step", batch_loader.STEPS)
def test_a_loader_killed_at_any_step_pays_nothing_twice(server, rows, tmp_path, step):
    for victim in (step, None):
        process = CONTEXT.Process(target=batch_loader.run, args=(str(tmp_path), server.base_url, rows, victim))
        process.start()
        process.join(30)
        assert process.exitcode == (-9 if victim else 0)
    landed = worklist.landed(tmp_path / "shards")
    assert Counter(row["query_id"] for row in landed) == Counter(row["query_id"] for row in rows)
    counts = server.counts()
    assert counts["batch_requests"] == N_ROWS == counts["distinct_bodies"] and counts["batches"] == 3
    assert {path.name for path in (tmp_path / "journal").iterdir()} == {
        "llm_replies.jsonl", "llm_replies.jsonl.lock", "llm_replies.batches"
    }


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_wait_at_once_and_the_batches_are_waited_for_again(server, rows, tmp_path, which):
    server.set_misbehaviour({"batch_seconds": 60})
    process = CONTEXT.Process(target=batch_loader.run, args=(str(tmp_path), server.base_url, rows))
    process.start()
    while server.counts()["batches"] < 2:  # as many as are open at a time
        process.join(0.02)
    os.kill(process.pid, which)
    process.join(5)
    assert process.exitcode == 1  # KeyboardInterrupt
    server.set_misbehaviour({})
    batch_loader.run(str(tmp_path), server.base_url, rows)
    assert len(worklist.landed(tmp_path / "shards")) == N_ROWS == server.counts()["batch_requests"]
    assert server.counts()["batches"] == 3


def test_batches_that_bring_nothing_stop_the_run_and_use_up_no_attempt(server, rows, journal, tmp_path):
    server.set_misbehaviour({"batch_failed": 1.0})
    shards = opened(tmp_path)
    with pytest.raises(replies.EndpointDown, match="3 batches in a row brought nothing.*could not be read"):
        ask(rows, journal, shards, server)
    server.set_misbehaviour({"rate_limit": 1.0})
    shards.fruitless = 0
    with pytest.raises(replies.EndpointDown, match="3 batches in a row"):
        ask(rows, journal, shards, server)
    assert not journal.keys() and not shards.open


def test_a_batch_that_is_late_stays_open_and_is_waited_for_by_the_next_command(server, rows, journal, tmp_path):
    server.set_misbehaviour({"batch_seconds": 2})
    with pytest.raises(replies.EndpointDown, match="is still in_progress after 1 seconds.*run again"):
        ask(rows[:5], journal, opened(tmp_path), server, deadline_seconds=1)
    with pytest.raises(replies.EndpointDown, match="requests are in a batch at http://127.*--base-url"):
        client = BatchApi(base_url="https://llm.example/v1", api_key_env="", attempts=0, deadline_seconds=1)
        batched.ask(
            iter(()), prompt_folder=worklist.PROMPTS, journal=journal, client=client, shards=opened(tmp_path),
            role="judge", limits=batch_loader.LIMITS, total=0, max_fruitless=3, progress=print, budget=Budget(),
        )
    server.set_misbehaviour({})
    ask(rows[:8], journal, opened(tmp_path), server)
    assert len(journal.keys()) == 8 and server.counts()["batch_requests"] == 8 and server.counts()["batches"] == 2


def test_a_server_that_is_away_loses_nothing(server, rows, journal, tmp_path):
    class Away:
        base_url = "http://127.0.0.1:9/v1"

    with pytest.raises(replies.EndpointDown, match="failed a call of the Batch API.*run again"):
        ask(rows[:3], journal, opened(tmp_path), Away)
    ask(rows[:3], journal, opened(tmp_path), server)
    assert len(journal.keys()) == 3 and server.counts()["batch_requests"] == 3


def test_shards_keep_to_both_limits_and_to_the_cap(server, rows, journal, tmp_path):
    budget = Budget(1.0)
    budget.prices = {"sample-truth": Price(input_usd=1e-5, output_usd=1e-5)}
    bodies = [one.body for one in replies.requests(worklist.batches(rows), worklist.PROMPTS)]
    budget.limit_usd = 5.5 * max(map(budget.most_usd, bodies))
    size = 5 * max(len(json.dumps(body)) + 200 for body in bodies)
    with pytest.raises(BudgetSpent, match="Stopped before the cap"):
        ask(rows, journal, opened(tmp_path), server, budget=budget, bytes=size)
    counts = server.counts()
    assert len(journal.keys()) == counts["batch_requests"] and 5 < len(journal.keys()) < N_ROWS
    assert counts["batch_requests"] / counts["batches"] <= 7 and budget.spent_usd <= budget.limit_usd
    spent = 1e-5 * (counts["prompt_tokens"] + counts["completion_tokens"])
    assert budget.spent_usd == pytest.approx(spent) and budget.reserved_usd == pytest.approx(0)
