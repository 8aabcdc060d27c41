"""The decisions of the whole project over facts that are written by hand, told from end to end."""

import os

from tiny_facts import AGAIN, DENSE, N_PAGES, doc_id, page_id


def numbers(warehouse, sql: str) -> set[int]:
    """The documents or pages of a one-column query, by their numbers."""
    return {int(row[0][2:4]) for row in warehouse.execute(sql)}


def test_kept_document_is_the_first_of_its_cluster_and_no_chain_drifts(tiny_home):
    assert tiny_home.execute("select doc_id, kept_doc_id from corpus.survivors") == [(doc_id(2), doc_id(1))]
    assert numbers(tiny_home, "select doc_id from corpus.documents") == set(range(N_PAGES)) - {2}
    kept = dict(tiny_home.execute("select node, is_kept from corpus.keepers"))
    assert kept == {doc_id(1): True, doc_id(2): False, doc_id(3): True}
    assert tiny_home.execute("select count(*) from corpus.duplicate_verdicts where is_conflict") == [(2,)]


def test_leaked_query_is_dropped_and_said_so(tiny_home):
    found = tiny_home.execute("select query_id, reason from queries.query_exclusions where reason <> 'no_question'")
    assert found == [(page_id(5), "leaked")]
    assert numbers(tiny_home, "select query_id from queries.queries") == {0}
    methods = {row[0] for row in tiny_home.execute("select method from queries.leaks")}
    assert methods == {"equality", "canonical", "jaccard5"}


def test_every_candidate_goes_where_the_policy_sends_it(tiny_home):
    stages = {
        stage: numbers(tiny_home, f"select doc_id from judging.judgments where stage = '{stage}'")
        for stage, in tiny_home.execute("select stage from judging.judgments group by stage")
    }
    assert stages == {
        "dense_top5": set(DENSE[:5]), "rerank_top5": set(range(6, 11)), "short_doc": {11},
        "long_doc": {AGAIN}, "fused_short": {13},
    }


def test_both_judges_label_the_reranker_s_choice_and_the_llm_wins(tiny_home):
    rows = tiny_home.execute(
        "select judge, label, raw_score from judging.judgments where stage = 'rerank_top5' group by all"
    )
    assert rows == [("llm", 0, 0.2)]


def test_rows_of_v2_are_those_of_v1_and_the_gap_and_the_fused(tiny_home):
    rounds = dict(tiny_home.execute("select label_round, count(*) from release.judgments group by 1"))
    assert rounds == {"v1": len(DENSE) - 1, "v2_gap": 1, "v2_fused": 1}


def test_training_row_holds_no_source_page_and_negatives_by_dense_rank(tiny_home):
    ((query, positive, *negatives),) = tiny_home.execute(
        "select query_id, positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id"
        " from training.rows"
    )
    assert query == page_id(0) and positive in (doc_id(1), doc_id(AGAIN), doc_id(13))
    assert negatives == [doc_id(3), doc_id(4), doc_id(6)]


def test_v1_over_the_same_facts_asks_no_gap_and_uses_no_answer_to_one(tiny_home):
    before = tiny_home.execute("select doc_id, label from judging.judgments where label_round = 'v1' order by all")
    wanted = ("--select", "+pair_exclusions", "rounds_add_up_to_all_judgments",
              "gaps_belong_to_the_policy_that_asks_again", "--indirect-selection", "empty")
    os.environ["MATHPINPOINT_POLICY"] = "v1"
    try:
        tiny_home.build(*wanted)
        after = tiny_home.execute("select doc_id, label from judging.judgments order by all")
        dropped = tiny_home.execute("select doc_id, reason from judging.pair_exclusions")
        pending = tiny_home.execute(
            "select count(*) from judging.pending_llm_replies where ask not in (select ask from policy.repeat_rules)"
        )
    finally:
        del os.environ["MATHPINPOINT_POLICY"]
        tiny_home.build(*wanted)
    assert after == before
    assert dropped == [(doc_id(AGAIN), "llm_gap")]
    assert pending == [(0,)]
