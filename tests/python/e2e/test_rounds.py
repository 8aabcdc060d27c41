"""Rounds of labels: a judge that fails for some pairs under v1, the same home again under v2."""

import json
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from homes import cli, copied, landed, rows, said

from mathpinpoint.sample.llm import SampleServer

SEED = 3
# The same request meets the same fault at each try, so that some pairs get no label at all.
FAULTS = {"refusal": 0.03, "invalid_json": 0.03, "wrong_schema": 0.03, "per_body": 1}
JUDGED = """
select query_id, doc_id, label, judge, label_round, request_key, attempt, raw_score
from judging.judgments
"""
EXHAUSTED = 3  # attempts of each request


@dataclass
class Round:
    """What a home held after a run of one policy."""

    judged: dict[tuple[str, str], tuple]
    replies: list[dict] = field(default_factory=list)
    gaps: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Rounds:
    home: Path
    v1: Round
    v2: Round
    asked: dict  # what the healed server counted


def _round(home):
    judged = {tuple(row[:2]): tuple(row[2:]) for row in rows(home, JUDGED)}
    gaps = set(rows(home, "select query_id, doc_id from judging.gaps where label_round = 'v1'"))
    return Round(judged, landed(home, "llm_replies"), gaps)


def _unjudged(home):
    """Take the labels of candidates and what was trained on them out of a home."""
    for shard in (home / "landed" / "llm_replies").glob("*.parquet"):
        stages = set(pq.read_table(shard, columns=["stage"])["stage"].to_pylist())
        if stages - {"source_page"}:
            assert "source_page" not in stages
            shard.unlink()
    for table in ("trained_models", "trained_pairs", "relevance_scores"):
        shutil.rmtree(home / "landed" / table)
    shutil.rmtree(home / "models")
    return home


@pytest.fixture(scope="module")
def rounds(finished, tmp_path_factory):
    """One home: v1 with a judge that often fails, then v2 with one that is well."""
    home = _unjudged(copied(finished.home, tmp_path_factory.mktemp("rounds") / "home"))
    with SampleServer(finished.web.folder / "truth.jsonl", disagreement=0.0, seed=SEED, misbehave=FAULTS) as server:
        run = finished.web.arguments(home, server.base_url)
        first = cli(home, *run, "--policy", "v1")
        assert first.returncode == 0, said(first)
        v1 = _round(home)
        server.set_misbehaviour({})
        server.reset()
        second = cli(home, *run, "--policy", "v2")
        assert second.returncode == 0, said(second)
        return Rounds(home, v1, _round(home), server.counts())


def _of(rounds, label_round):
    return {pair for pair, row in rounds.v2.judged.items() if row[2] == label_round}


def test_rows_of_v2_are_those_of_v1_and_the_gaps_and_the_fused(rounds):
    v1, gap, fused = len(rounds.v1.judged), len(_of(rounds, "v2_gap")), len(_of(rounds, "v2_fused"))
    print(f"rows(v2) {len(rounds.v2.judged)} = rows(v1) {v1} + gap {gap} + fused {fused}")
    assert len(rounds.v2.judged) == v1 + gap + fused
    assert v1 > 0 and gap > 0 and fused > 0
    assert {row[2] for row in rounds.v1.judged.values()} == {"v1"}


def test_the_gaps_are_the_pairs_that_v1_wanted_and_did_not_get(rounds):
    assert rounds.v1.gaps == _of(rounds, "v2_gap")
    assert not rounds.v1.gaps & rounds.v1.judged.keys()
    told = rows(rounds.home, "select count(*) from judging.assignments where label_round = 'v2_gap'")
    assert told == [(len(rounds.v1.gaps),)]


def test_labels_of_v1_stay(rounds):
    assert {pair: rounds.v2.judged[pair] for pair in rounds.v1.judged} == rounds.v1.judged


def _usable(row):
    """Is this reply a judgement at all? By json alone, nothing of the warehouse."""
    if row["status"] != "ok" or row["refusal"] or not row["content"]:
        return False
    try:
        answer = json.loads(row["content"])
    except ValueError:
        return False
    names = {"score", "query_evaluable", "answer_validity", "reason_codes", "confidence"}
    is_known = answer.get("score") in (0, 1, 2, None) and not isinstance(answer.get("score"), str)
    return names <= answer.keys() and is_known


def test_no_reply_that_cannot_be_used_became_a_label(rounds):
    replies = {(row["request_key"], row["attempt"]): row for row in rounds.v2.replies}
    bad = {key for key, row in replies.items() if not _usable(row)}
    labels = {row[3:5]: row[0] for row in rounds.v2.judged.values() if row[1] == "llm"}
    assert len(bad) >= 10 and not bad & labels.keys()
    for key, label in labels.items():
        assert json.loads(replies[key]["content"])["score"] == label
    outcomes = dict(rows(rounds.home, "select outcome, count(*) from judging.replies group by all"))
    print(outcomes)
    assert {"refusal", "invalid_json", "schema_violation"} <= outcomes.keys()
    assert not rows(
        rounds.home, "select 1 from judging.replies where outcome <> 'ok' and label is not null"
    )


def test_a_request_that_fails_is_tried_as_often_as_the_policy_says(rounds):
    tries = Counter(row["request_key"] for row in rounds.v1.replies)
    bad = {row["request_key"] for row in rounds.v1.replies if not _usable(row)}
    assert {tries[key] for key in bad} == {EXHAUSTED}
    assert {tries[key] for key in tries.keys() - bad} == {1}


def test_what_v1_asked_is_not_asked_again(rounds):
    before = {(row["request_key"], row["attempt"]) for row in rounds.v1.replies}
    new = [row for row in rounds.v2.replies if (row["request_key"], row["attempt"]) not in before]
    assert not {row["request_key"] for row in new} & {key for key, _ in before}
    assert {row["label_round"] for row in new} <= {"v2_gap", "v2_fused"}
    assert {(row["query_id"], row["doc_id"]) for row in new if row["label_round"] == "v2_gap"} == rounds.v1.gaps
    assert rounds.asked["requests"] == rounds.asked["answered"] == len(new)
    print(f"v1 asked {len(before)} times, v2 {len(new)}")
