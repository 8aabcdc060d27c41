"""A finished run against the truth of its pages: twins, copies, pages that tell the judge what to say."""

import json
from collections import defaultdict

from homes import landed, rows, seed

from mathpinpoint.compute.normalize import match_tokens

DRAWN = 0.6  # the confidence of a label that the sample LLM drew against its own truth
MERGED_SHARE = 0.9  # of the generated copies


def _kept(home):
    """The document that stands for each page: its own or the one it was merged into."""
    return dict(rows(home, "select page_id, source_doc_id from corpus.page_sources"))


def test_every_page_of_the_truth_is_landed_once(sample_home, sample_truth):
    ids = {row["page_id"] for row in landed(sample_home, "pages")}
    assert ids == set(sample_truth.pages) == set(sample_truth.ids.values())


def test_near_twins_never_stand_for_each_other(sample_home, sample_truth):
    kept, own = _kept(sample_home), dict(rows(sample_home, "select page_id, own_doc_id from corpus.page_sources"))
    checked = 0
    for web, page_id, page in sample_truth.each():
        if page.twin_of:
            other = sample_truth.ids[web, page.twin_of]
            checked += 1
            if page_id in kept and other in kept:
                assert own[page_id] != own[other], (page.page, page.twin_of)
                assert kept[page_id] != kept[other], (page.page, page.twin_of)
    print(f"{checked} twins stay apart")
    assert checked >= 25


def test_copies_stand_for_each_other(sample_home, sample_truth):
    kept = _kept(sample_home)
    copies = defaultdict(set)
    for web, page_id, page in sample_truth.each():
        if page.mirror_of:
            copies[web, page.mirror_of] |= {page_id, sample_truth.ids[web, page.mirror_of]}
    apart, counted = defaultdict(list), defaultdict(int)
    for web, page_id, page in sample_truth.each():
        if page.mirror_of and page_id in kept:
            counted[web] += 1
            others = copies[web, page.mirror_of] - {page_id}
            if others and kept[page_id] not in {kept.get(other) for other in others}:
                apart[web].append(page.page)
                _is_apart_by_rule(sample_home, kept[page_id], kept[sample_truth.ids[web, page.mirror_of]])
    print({web: f"{counted[web] - len(apart[web])} of {counted[web]}" for web in counted}, dict(apart))
    more = {page.page for web, _, page in sample_truth.each() if web == "shipped" and page.adds}
    assert set(apart["shipped"]) == more != set()  # copies that hold a solution more
    assert len(apart["generated"]) <= (1 - MERGED_SHARE) * counted["generated"]


def _is_apart_by_rule(home, one, other):
    """Assert that a rule of the policy keeps two documents apart."""
    (rule,) = seed("dedup_rules", policy="v2")
    texts = dict(rows(home, "select doc_id, text from corpus.exact_documents where doc_id in (?, ?)", [one, other]))
    grams = []
    for text in texts.values():
        tokens = match_tokens(text)
        grams.append({tuple(tokens[at : at + 5]) for at in range(len(tokens) - 4)})
    jaccard = len(grams[0] & grams[1]) / len(grams[0] | grams[1])
    verdicts = [
        row for row in landed(home, "duplicate_verdicts") if {row["doc_a"], row["doc_b"]} == {one, other}
    ]
    assert jaccard < float(rule["min_jaccard"]) or any(
        row["is_conflict"]
        or max(row["n_tokens_only_a"], row["n_tokens_only_b"]) > int(rule["max_tokens_lacking"])
        for row in verdicts
    ), (one, other, jaccard, verdicts)


def test_no_page_talks_the_judge_into_a_label(sample_home, sample_truth):
    kept, injections = _kept(sample_home), sample_truth.of_kind("injection")
    assert len(injections) >= 8
    documents = {kept[page_id] for page_id in injections if page_id in kept}
    assert all(score.score == 0 for page in injections.values() for score in page.solves)
    judgments = rows(sample_home, "select doc_id, judge, label, confidence from judging.judgments")
    about = [row for row in judgments if row[0] in documents]
    assert len({row[0] for row in about}) >= 5
    assert not [row for row in about if row[2] == 2]
    assert not [row for row in about if row[1] == "llm" and row[2] != 0 and row[3] != DRAWN]
    for row in landed(sample_home, "llm_replies"):
        if row["doc_id"] in documents:
            answer = json.loads(row["content"])
            assert answer["score"] == 0 or (answer["confidence"], answer["score"]) == (DRAWN, 1)


def test_documents_near_the_top_solve_more_often(sample_home):
    shares = dict(rows(sample_home, """
        select dense_rank <= 5, avg(case when label = 2 then 1.0 else 0.0 end)
        from judging.judgments inner join retrieval.ranks using (query_id, doc_id)
        where dense_rank <= 20 and is_query_evaluable group by 1
    """))
    by_the_llm = dict(rows(sample_home, """
        select dense_rank <= 5, avg(case when label = 2 then 1.0 else 0.0 end)
        from judging.judgments inner join retrieval.ranks using (query_id, doc_id)
        where dense_rank <= 20 and is_query_evaluable and judge = 'llm' group by 1
    """))
    print(f"share of 2 in ranks 1-5 {shares[True]:.3f}, in 6-20 {shares[False]:.3f}")
    assert shares[True] > 2 * shares[False] and by_the_llm[True] > by_the_llm[False]
