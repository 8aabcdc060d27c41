"""Every number of an explanation, worked out again from the landed facts."""

import json
import random
import re

import pytest
from homes import cli, landed, parsed, rows, seed
from routing import assigned, facts_of

from mathpinpoint.audit.explain import explain_pair
from mathpinpoint.schemas import CONDITIONS
from mathpinpoint.warehouse import Warehouse

PAIRS, SEED = 20, 7
SHOWN = ("ask", "model", "prompt_sha256", "parameters", "truncation_chars", "layout", "position", "label_round")


@pytest.fixture(scope="module")
def facts(sample_home):
    return facts_of(sample_home, "v2")


@pytest.fixture(scope="module")
def routed(facts):
    found = {}
    for query_id, doc_id, rule, stage, judge in assigned(facts, is_fused=True):
        found.setdefault((query_id, doc_id), set()).add((rule, stage, judge))
    return found


@pytest.fixture(scope="module")
def replies(sample_home):
    found = {}
    for row in landed(sample_home, "llm_replies"):
        found.setdefault((row["query_id"], row["doc_id"]), []).append(row)
    return found


@pytest.fixture(scope="module")
def raw_scores(sample_home):
    newest = max(landed(sample_home, "trained_models"), key=lambda row: row["version"])["model_id"]
    return {
        (row["query_id"], row["doc_id"]): row["raw_score"]
        for row in landed(sample_home, "relevance_scores") if row["model"] == newest
    }


def _drawn(home):
    """Twenty judged pairs, four of each of the stages that have so many."""
    stages = {}
    for query_id, doc_id, stage in rows(
        home, "select query_id, doc_id, stage from judging.judgments order by query_id, doc_id"
    ):
        stages.setdefault(stage, []).append((query_id, doc_id))
    draw = random.Random(SEED)
    found = [pair for stage in sorted(stages) for pair in draw.sample(stages[stage], min(2, len(stages[stage])))]
    rest = sorted({pair for pairs in stages.values() for pair in pairs} - set(found))
    return found + draw.sample(rest, PAIRS - len(found))


def _same_ranks(found, one):
    """Assert ranks and fused score, as numbers and as the written-out sum."""
    shown = found["ranks"][0]
    assert {route: shown[f"{route}_rank"] for route in ("dense", "bm25", "ngram5")} == {
        route: one.ranks.get(route) for route in ("dense", "bm25", "ngram5")
    }
    assert shown["fused_rank"] == one.fused
    assert shown["rrf_score"] == pytest.approx(float(one.score), abs=1e-12)
    total, place = re.search(r"sum ([\d.]+), fused rank (\d+)", found["arithmetic"]).groups()
    assert (float(total), int(place)) == (pytest.approx(float(one.score), abs=1e-9), one.fused)
    parts = [float(part) for part in re.findall(r"= ([\d.]+)", found["arithmetic"])]
    assert len(parts) == len(one.ranks) and sum(parts) == pytest.approx(float(one.score), abs=3e-9)


def _same_replies(found, asked):
    """Assert that each landed reply is shown with its conditions and with what its content says."""
    assert len(found["replies"]) == len(asked)
    by_key = {(row["request_key"], row["attempt"]): row for row in asked}
    for shown in found["replies"]:
        row = by_key[shown["request_key"], shown["attempt"]]
        answer = json.loads(row["content"])
        assert {name: shown[name] for name in SHOWN} == {name: row[name] for name in SHOWN}
        assert set(SHOWN) <= {name for name, _ in CONDITIONS}
        assert (shown["label"], shown["is_query_evaluable"]) == (answer["score"], answer["query_evaluable"])
        assert shown["reason_codes"] == ",".join(answer["reason_codes"])
        for name in ("answer_validity", "confidence", "rationale"):
            assert shown[name] == answer[name]
        assert (shown["prompt_tokens"], shown["completion_tokens"]) == (
            row["prompt_tokens"], row["completion_tokens"],
        )
        assert shown["outcome"] == "ok" and shown["model_reported"] == row["model_reported"]


def _band(score):
    for row in seed("label_bands", policy="v2"):
        low, high = (float(row[name]) if row[name] else None for name in ("min_score", "below_score"))
        if (low is None or score >= low) and (high is None or score < high):
            return int(row["label"])
    raise AssertionError(f"no band holds {score}")


def _same_resolution(found, asked, score):
    """Assert the label: the LLM's first usable candidate reply, else the source page's, else the band."""
    (shown,) = found["judgment"]
    candidate = sorted((row["ask"], row["attempt"], row["content"]) for row in asked if row["stage"] != "source_page")
    if score is not None:
        assert [row["raw_score"] for row in found["relevance_scores"]] == [score]
        assert found["relevance_scores"][0]["label"] == _band(score)
    if candidate:
        expected, judge = json.loads(candidate[0][2])["score"], "llm"
        assert "the first usable reply of the LLM" in found["resolution"]
        assert ("the LLM's label wins" in found["resolution"]) == (score is not None)
    else:
        expected, judge = _band(score), "rm8b"
        assert f"the relevance model's {score:.6f} is in [" in found["resolution"]
    assert (shown["label"], shown["judge"], shown["raw_score"]) == (expected, judge, score)
    assert found["resolution"].startswith(f"label {expected}: ")


def test_twenty_explanations_hold(sample_home, facts, routed, replies, raw_scores):
    warehouse, judges = Warehouse(sample_home), set()
    for query_id, doc_id in _drawn(sample_home):
        found = explain_pair(warehouse, query_id, doc_id)
        asked = replies.get((query_id, doc_id), [])
        _same_ranks(found, facts.ranked[query_id][doc_id])
        wanted = routed[query_id, doc_id] | (
            {("source_page", "source_page", "llm")} if facts.source[query_id] == doc_id else set()
        )
        assert {(row["rule"], row["stage"], row["judge"]) for row in found["assignments"]} == wanted
        _same_replies(found, asked)
        _same_resolution(found, asked, raw_scores.get((query_id, doc_id)))
        assert found["candidate"][0]["is_long"] == facts.is_long[doc_id]
        judges.add(found["judgment"][0]["judge"])
    assert judges == {"llm", "rm8b"}


def test_the_command_prints_the_same(sample_home):
    query_id, doc_id = _drawn(sample_home)[0]
    printed = parsed(cli(sample_home, "explain", query_id, doc_id, "--json"))
    found = explain_pair(Warehouse(sample_home), query_id, doc_id)
    assert printed == json.loads(json.dumps(found, default=str))
    text = cli(sample_home, "explain", query_id, doc_id).stdout
    assert found["arithmetic"] in " ".join(text.split()) and found["resolution"] in text
