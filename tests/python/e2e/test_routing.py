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


def test_removed_documents_are_in_no_route_and_each_list_is_full(sample_home):
    """Dense finds any document, bm25 all that share a term; removed near-duplicates would take a place in both."""
    removed = {row[0] for row in rows(sample_home, "select doc_id from corpus.survivors where doc_id <> kept_doc_id")}
    found = {row[0] for row in rows(sample_home, "select distinct doc_id from landed.runs where rank is not null")}
    kept = {row[0] for row in rows(sample_home, "select doc_id from corpus.documents")}
    assert removed and not removed & found and found <= kept
    depths = dict(rows(sample_home, "select route, depth from policy.routes where policy = 'v2'"))
    counted = "select route, query_id, count(*) from retrieval.hits where route <> 'ngram5' group by all"
    n_queries = rows(sample_home, "select count(*) from queries.queries")[0][0]
    lists = rows(sample_home, counted)
    assert len(lists) == 2 * n_queries
    assert all(n_hits == min(depths[route], len(kept)) for route, _, n_hits in lists)


def test_a_querys_own_page_is_found_like_any_other_and_marked(sample_home):
    own = """
        select query_id, source_doc_id, rule, is_new from retrieval.ranks
        inner join queries.queries using (query_id)
        left join retrieval.candidates using (query_id, doc_id)
        where doc_id = source_doc_id
    """
    found = rows(sample_home, own)
    assert found and all(rule and is_new is False for _, _, rule, is_new in found)
    marked = rows(sample_home, "select query_id, doc_id from retrieval.candidates where is_source_page")
    assert set(marked) == {row[:2] for row in found}
