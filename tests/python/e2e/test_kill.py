"""Killed at any moment and run again: the same release, and nothing is asked twice."""

import os
import random
import signal
import time
from collections import Counter
from itertools import pairwise

import pyarrow.parquet as pq
import pytest
from homes import hashes, landed, rows
from killing import ORDER, SLOW, copy_of, running

from mathpinpoint.asking import LLM_TABLES
from mathpinpoint.release.verify import verify_release

pytestmark = pytest.mark.timeout(900)  # the shared run comes first
KILLS = int(os.environ.get("MATHPINPOINT_KILLS", "3"))  # `make soak` takes ten
SEED = 146  # its kills fall in stages of each kind


def moments(ends):
    """Random moments in the life of a run, in order: (stage, seconds after the one before ended)."""
    chance = random.Random(SEED)
    seconds = [end - start for start, end in pairwise([0.0, *ends])]
    stages = sorted(chance.sample(range(len(ORDER)), KILLS))
    return [(stage, chance.uniform(0, seconds[stage])) for stage in stages]


def check_that_nothing_is_half(home):
    """Whatever has its final name is whole."""
    for shard in home.glob("landed/*/[!.]*.parquet"):
        pq.read_table(shard)
    for release in home.glob("releases/[!.]*"):
        assert verify_release(release) == []


def kill_at(finished, home, server, stage, seconds):
    """Run until the moment, then kill; gives the stage that was going on, or None if it was over.

    A stage that is over sooner is killed at its end, one of requests while they are in flight.
    """
    n_requests = server.counts()["requests"]
    with running(finished.web, home, server.base_url) as run:
        end = time.monotonic() + seconds if run.wait_for(stage) else 0
        while len(run.ends) == stage and time.monotonic() < end:
            time.sleep(0.02)
        while len(run.ends) == stage and ORDER[stage] in LLM_TABLES and run.process.poll() is None:
            if server.counts()["requests"] > n_requests:
                break
        code = run.signal(signal.SIGKILL)
        assert code in (0, -signal.SIGKILL), run.printed
        assert run.leftovers() == []
        return ORDER[len(run.ends)] if code else None


def test_the_ledger_is_the_server_s_own_count(finished):
    (spent,) = rows(
        finished.home,
        "select sum(n_requests), sum(n_replies), sum(n_answered), sum(prompt_tokens), sum(completion_tokens)"
        " from audit.llm_ledger",
    )
    counts = finished.counts
    assert spent == (
        counts["distinct_bodies"], counts["requests"], counts["answered"], counts["prompt_tokens"],
        counts["completion_tokens"],
    )


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_kills_then_the_same_release_and_nothing_asked_twice(finished, tmp_path):
    home, fell = tmp_path / "home", []
    with finished.web.llm(SLOW) as server:
        for stage, seconds in moments(finished.ends):
            fell.append(kill_at(finished, home, server, stage, seconds))
            print(f"killed {seconds:.1f} s into {ORDER[stage]}: {fell[-1] or 'it was over'}")
            check_that_nothing_is_half(home)
        with running(finished.web, home, server.base_url) as last:
            assert last.wait() == 0, last.printed
        n_requests = server.counts()["requests"]
    assert len([stage for stage in fell if stage]) >= KILLS - 2 and len(set(fell)) > KILLS // 2
    assert hashes(home / "releases") == hashes(finished.home / "releases") != {}
    check_that_nothing_is_half(home)
    assert [path for path in home.rglob(".*") if path.parts[len(home.parts)] != "target"] == []
    n_landed = check_replies(finished.home, home)
    in_flight = 16 * sum(stage in LLM_TABLES for stage in fell)
    print(f"{n_requests} requests, {n_landed} landed, at most {in_flight} in flight when killed")
    assert finished.counts["requests"] == n_landed <= n_requests <= n_landed + in_flight


def check_replies(undisturbed, home):
    """Both homes hold the same replies, each once; gives how many."""
    total = 0
    assert list(home.glob("journal/*.sealing")) == []
    for table in LLM_TABLES:
        keys = Counter((row["request_key"], row["attempt"]) for row in landed(home, table))
        wanted = {(row["request_key"], row["attempt"]) for row in landed(undisturbed, table)}
        assert set(keys) == wanted and set(keys.values()) <= {1}
        assert (home / "journal" / f"{table}.jsonl").stat().st_size == 0
        total += len(keys)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    "after, seconds, without",
    [("pages", 0.7, ()), ("duplicate_reviews", 3.0, ("embeddings",)), ("page_texts", 1.0, LLM_TABLES)],
    ids=["while dbt builds", "while workers embed", "while requests are in flight"],
)
def test_ctrl_c_ends_with_130_and_says_how_to_go_on(finished, tmp_path, after, seconds, without):
    home = copy_of(finished.home, tmp_path / "home", *without)
    with finished.web.llm({"slow": 1.0, "slow_seconds": 2.0}) as server:
        with running(finished.web, home, server.base_url) as run:
            assert run.wait_for(ORDER.index(after) + 1), run.printed
            time.sleep(seconds)
            code = run.signal(signal.SIGINT)
            assert run.leftovers() == []
    assert code == 130, run.printed
    assert run.printed.rstrip().endswith("Run the same command again to go on."), run.printed
    assert "Traceback" not in run.printed
    check_that_nothing_is_half(home)
