"""Routing by the seeds is the table of stages, worked out again from the landed facts."""

from collections import Counter

import pytest
from homes import MODELS_ONLY, dbt, rows, said
from routing import assigned, facts_of

ASSIGNED = "select query_id, doc_id, rule, stage, judge from judging.assignments"
COUNTED = "select rule, stage, judge, count(*) from judging.assignments group by all"


def _source_pages(home):
    asked = rows(home, "select query_id, source_doc_id from queries.screened where reason is null")
    return {(query_id, doc_id, "source_page", "source_page", "llm") for query_id, doc_id in asked}


def _agrees(home, policy):
    """Assert that the warehouse's assignments are those of the independent routing."""
    expected = assigned(facts_of(home, policy), is_fused=policy == "v2") | _source_pages(home)
    listed = rows(home, ASSIGNED)
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    counts = Counter(row[2:] for row in expected)
    assert {tuple(row[:3]): row[3] for row in rows(home, COUNTED)} == counts
    print(policy, dict(sorted(counts.items())))
    return counts


def test_policy_v2_routes_as_its_table_says(sample_home):
    counts = _agrees(sample_home, "v2")
    stages = {stage for _, stage, _ in counts}
    assert stages >= {"fused_long_top5", "fused_long", "fused_short", "long_doc", "short_doc"}


def test_policy_v1_routes_the_dense_top_20_alone(home_copy):
    built = dbt(home_copy, "build", "--select", "+assignments", *MODELS_ONLY, MATHPINPOINT_POLICY="v1")
    assert built.returncode == 0, said(built)
    counts = _agrees(home_copy, "v1")
    assert not [stage for _, stage, _ in counts if stage.startswith("fused")]


def test_ranks_are_those_of_the_landed_hits(sample_home):
    facts = facts_of(sample_home, "v2")
    listed = rows(
        sample_home,
        "select query_id, doc_id, dense_rank, bm25_rank, ngram5_rank, rrf_score, fused_rank"
        " from retrieval.ranks",
    )
    assert len(listed) == sum(map(len, facts.ranked.values()))
    for query_id, doc_id, dense, bm25, ngram5, score, fused in listed:
        one = facts.ranked[query_id][doc_id]
        assert (dense, bm25, ngram5) == tuple(map(one.ranks.get, ("dense", "bm25", "ngram5")))
        assert score == pytest.approx(float(one.score), abs=1e-12) and fused == one.fused
    print(f"{len(listed)} ranked pairs")
