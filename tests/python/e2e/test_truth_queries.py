"""A finished run against the truth of its queries: copied from their pages, and not leaked."""

import json
import re
from collections import Counter

from homes import landed, rows, seed

from mathpinpoint.compute.normalize import match_tokens, query_key
from mathpinpoint.sampling import SHIPPED

GRAM = 5
AS_READ = {
    r"\le": "≤", r"\ge": "≥", r"\equiv": "≡", r"\to": "→", r"\infty": "∞", r"\int": "∫", r"\alpha": "α",
    r"\beta": "β", r"\cdot": "⋅", r"\times": "×", r"\ne": "≠", r"\in": "∈", r"\sqrt": "√", r"\pi": "π",
}


def _as_read(text):
    """What a reader sees of a text's mathematics: signs, no markup, no spaces."""
    text = text.replace(r"\pmod", "mod").replace("−", "-").replace("·", "⋅")
    text = re.sub(r"\\[A-Za-z]+", lambda found: AS_READ.get(found[0], found[0][1:]), text)
    return re.sub(r"[\s${}()\\]", "", text)


def _written(home):
    return rows(home, "select query_id, query_text, is_from_page_question, copied_share from queries.written")


def test_a_question_of_the_page_is_its_query_hardly_changed(sample_home, sample_truth):
    (rule,) = seed("query_rules", policy="v2")
    total, same, cut = 0, 0, []
    for query_id, text, is_from_page_question, copied_share in _written(sample_home):
        if not is_from_page_question:
            continue
        total += 1
        assert copied_share >= float(rule["min_copied_share"]), (query_id, text)
        wanted = [page.query for _, page in sample_truth.pages[query_id]]
        is_same = any(match_tokens(text) == match_tokens(query) for query in wanted)
        same += is_same
        # Where a page's mathematics is no LaTeX, the truth's LaTeX is the same for a reader.
        if not is_same and _as_read(text) not in map(_as_read, wanted):
            # A page that repeats its question in its answer: the sample LLM may copy the second one.
            assert any(_as_read(text) in _as_read(query) for query in wanted), (text, wanted)
            cut.append(text)
    print(f"{same} of {total} questions of pages are the truth's, token for token; cut: {cut}")
    assert total >= 300 and same >= 0.9 * total and len(cut) <= 0.01 * total


def test_the_copied_share_is_what_a_slow_count_finds(sample_home):
    (rule,) = seed("query_rules", policy="v2")
    run = int(rule["copied_run_chars"])
    pages = dict(rows(sample_home, "select page_id, text from corpus.texts"))
    for query_id, text, _, share in _written(sample_home):
        is_copied = [False] * len(text)
        for at in range(len(text) - run + 1):
            if text[at : at + run] in pages[query_id]:
                is_copied[at : at + run] = [True] * run
        assert abs(sum(is_copied) / len(text) - share) < 1e-12, (query_id, text)


def _grams(text):
    tokens = match_tokens(text)
    return {tuple(tokens[at : at + GRAM]) for at in range(max(1, len(tokens) - GRAM + 1))} if tokens else set()


def _items(home):
    """(evaluation set, id) → text, of the files that the run was given."""
    found = {}
    for name, web in (("shipped", SHIPPED), ("generated", home / "sample" / "generated")):
        for line in (web / "evaluation" / "contest.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[name, row["id"]] = row["problem"]
    return found


def _in_order(one, other):
    """Length of the longest common subsequence of two lists of tokens."""
    above = [0] * (len(other) + 1)
    for token in one:
        row = [0]
        for at, seen in enumerate(other):
            row.append(above[at] + 1 if token == seen else max(row[at], above[at + 1]))
        above = row
    return above[-1]


def _leaks(queries, items):
    """Every (query, set, item, method) that a comparison of all with all by token finds, with its similarity."""
    rules = {row["method"]: row for row in seed("leakage_rules", policy="v2")}
    found = {}
    forms = [(key, query_key(text), match_tokens(text), _grams(text)) for key, text in items.items()]
    n_items = Counter((key[0], gram) for key, _, _, grams in forms for gram in grams)
    most = int(rules["lcs"]["max_gram_items"])
    for query_id, text in queries:
        key, tokens, grams = query_key(text), match_tokens(text), _grams(text)
        for item, item_key, item_tokens, item_grams in forms:
            scores = {"equality": float(key == item_key), "canonical": float(tokens == item_tokens)}
            scores["jaccard5"] = len(grams & item_grams) / len(grams | item_grams)
            shorter = min(len(tokens), len(item_tokens))
            n_seeds = sum(n_items[item[0], gram] <= most for gram in grams & item_grams)
            share = n_seeds / min(len(grams), len(item_grams))
            is_near = n_seeds and share >= float(rules["lcs"]["min_gram_share"])
            if is_near and shorter >= int(rules["lcs"]["min_tokens"]):
                scores["lcs"] = _in_order(tokens, item_tokens) / shorter
            for method, score in scores.items():
                if score >= float(rules[method]["min_similarity"]):
                    found[query_id, *item, method] = score
    return found


def test_leaks_are_those_that_comparing_all_with_all_finds(sample_home, sample_truth):
    assert {row["shingle_tokens"] for row in seed("dedup_rules")} == {str(GRAM)}
    items = _items(sample_home)
    drawn = rows(sample_home, """
        select query_id, query_text from queries.deduplicated inner join queries.written using (query_id)
        where query_id = kept_query_id
    """)
    expected = _leaks(drawn, items)
    listed = {tuple(row[:4]): row[4] for row in rows(
        sample_home,
        "select query_id, eval_set, item_id, method, similarity from queries.leaks where method <> 'semantic'",
    )}
    assert listed.keys() == expected.keys()
    assert all(abs(listed[leak] - expected[leak]) < 1e-12 for leak in expected)
    for web, planted in sample_truth.leaks.items():
        assert planted <= {leak[2] for leak in listed if leak[1] == web}, (web, planted)
    print(f"{len(drawn)} queries, {len(items)} items, {len(listed)} leaks")


def test_a_leak_by_meaning_is_found_before_its_page_is_paid_for(sample_home):
    leaks = rows(sample_home, """
        select leaks.query_id, query_text, item_text from queries.leaks
        inner join queries.nearest_items using (query_id, eval_set, item_id) where method = 'semantic'
    """)
    assert leaks and all(match_tokens(query) != match_tokens(item) for _, query, item in leaks)
    judged = {row["query_id"] for row in landed(sample_home, "llm_replies")}
    assert judged and not judged & {leak[0] for leak in leaks}
    (open_checks,) = rows(sample_home, "select count(*) from queries.screened where reason = 'leakage_unpaid'")
    assert open_checks == (0,)


def test_the_labelled_pairs_measure_each_method(sample_home):
    found = {row[0]: row[1:] for row in rows(sample_home, """
        select method, n_copies, n_copies_found, n_twins, n_others, n_others_found, precision_share
        from audit.leakage_fixture
    """)}
    assert found.keys() == {"equality", "canonical", "jaccard5", "lcs", "any"}
    n_copies, n_found, n_twins, n_others, n_wrong, precision = found["any"]
    assert n_copies + n_twins + n_others >= 60 and n_found >= 0.85 * n_copies
    assert (n_wrong, precision) == (0, 1)
    assert found["equality"][1] < found["canonical"][1] < found["jaccard5"][1] < found["lcs"][1] <= n_found
    kinds = dict(rows(sample_home, "select change, n_found from audit.leakage_changes where method = 'any'"))
    assert kinds["reworded"] == kinds["unrelated"] == 0


def test_no_query_leaks(sample_home):
    queries = rows(sample_home, "select query_id, query_text from queries.queries")
    assert len(queries) >= 90
    assert _leaks(queries, _items(sample_home)) == {}
