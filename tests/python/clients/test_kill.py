"""Killed at random moments and run again, the loader loses nothing and asks nothing twice."""

import multiprocessing
import os
import random
from collections import Counter

import pytest
import worklist
from kill_loader import run
from llm_server import completion, serving

KILLS = int(os.environ.get("MATHPINPOINT_LOADER_KILLS", 15))  # `make soak` has more
ROWS, CONCURRENCY = 27 * KILLS, 4


def slow_reply(number, body):
    return completion(f'{{"number": {number}}}') if number % 3 else 0.03


@pytest.mark.timeout(60 + 12 * KILLS)
def test_kills(tmp_path):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["openai", "mathpinpoint.land.replies", "pyarrow.parquet"])
    chance, kills = random.Random(7), 0
    with serving(slow_reply) as server:
        arguments = (str(tmp_path), server.base_url, ROWS, CONCURRENCY)
        while kills < KILLS:
            before = len(server.asked)
            process = context.Process(target=run, args=arguments)
            process.start()
            wanted = before + chance.randint(1, 40)
            while process.is_alive() and len(server.asked) < wanted:
                process.join(0.002)
            process.join(chance.uniform(0, 0.05))
            if not process.is_alive():
                break
            process.kill()
            process.join()
            kills += 1
        last = context.Process(target=run, args=arguments)
        last.start()
        last.join()
    assert last.exitcode == 0
    rows = worklist.landed(tmp_path / "shards")
    counts = Counter((row["request_key"], row["attempt"]) for row in rows)
    asked = Counter(key for key, _, _ in server.asked)
    print(f"{kills} kills, {len(server.asked)} requests for {ROWS}, {len(rows)} rows landed")
    assert kills >= KILLS - KILLS // 5
    assert {row["query_id"] for row in rows} == {f"p_{number:04}" for number in range(ROWS)}
    assert set(counts.values()) == {1} and set(asked) == {key for key, _ in counts}
    assert len(server.asked) <= ROWS + CONCURRENCY * kills
    assert sorted(path.name for path in (tmp_path / "journal").iterdir()) == [
        "llm_replies.jsonl", "llm_replies.jsonl.lock"
    ]
