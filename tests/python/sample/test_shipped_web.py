"""The shipped sample web: its truth is complete, consistent, and stands on its pages."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from mathpinpoint.compute.extract.page import extract
from mathpinpoint.compute.normalize import match_tokens, query_key, stored_text
from mathpinpoint.sample.pack import WEB, pack_parquet, pack_warc
from mathpinpoint.sample.truth import KINDS, Page, Problem, read_truth

PAGES = WEB / "pages"
RECORDS = list(read_truth(WEB / "truth.jsonl"))
TRUTH = {record.page: record for record in RECORDS if isinstance(record, Page)}
PROBLEMS = {record.problem: record for record in RECORDS if isinstance(record, Problem)}
ENCODINGS = "mathjax_script mathjax_tex katex mathml tex_image sup_sub unicode markdown".split()

FULL = {"full_solution", "equivalent_solution", "correct_short_answer"}
PARTLY = {"correct_partial_method", "correct_partial_subquestion", "minor_math_error"}
NOT = {
    "major_math_error", "minor_math_error", "wrong_problem", "condition_mismatch",
    "target_mismatch", "topic_only", "question_restatement", "unresolved_attempt",
    "contaminated_or_spliced", "uncertain_math", "missing_context", "figure_dependent",
    "degenerate_text",
}  # fmt: skip
RULES = {
    2: ({"correct"}, FULL),
    1: ({"correct", "minor_error"}, PARTLY),
    0: ({"major_error", "uncertain", "not_applicable"}, NOT),
}


def raw_pages() -> dict[str, tuple[bytes, str]]:
    """Bytes and format of every page, by the name that truth gives it."""
    found = {
        path.relative_to(PAGES).as_posix(): (path.read_bytes(), path.suffix[1:])
        for path in sorted(PAGES.rglob("*.*"))
        if path.suffix in (".html", ".md", ".txt")
    }
    with (PAGES / "pages.warc.gz").open("rb") as stream:
        responses = ArchiveIterator(stream, record_types=WarcRecordType.response)
        for number, record in enumerate(responses):
            found[f"pages.warc.gz#{number}"] = (record.reader.read(), "html")
    rows = pq.read_table(PAGES / "pages.parquet").column("content").to_pylist()
    found |= {f"pages.parquet#{n}": (row.encode(), "html") for n, row in enumerate(rows)}
    return found


RAW = raw_pages()


def tokens(text: str | None) -> list[str]:
    return match_tokens(stored_text(text or ""))


def prose(text: str) -> Counter:
    """Words outside formulas, counted."""
    return Counter(re.findall(r"[^\W\d_]+", re.sub(r"\$\$?.+?\$\$?", " ", text, flags=re.S)))


def recall(wanted: list[str], found: list[str]) -> float:
    return (Counter(wanted) & Counter(found)).total() / len(wanted) if wanted else 1.0


def test_every_page_has_a_truth_and_every_truth_a_page():
    assert set(TRUTH) == set(RAW)
    assert len(TRUTH) == len(RECORDS) - len(PROBLEMS) >= 44
    others = [
        p for p in PAGES.rglob("*") if p.is_file() and p.suffix not in (".html", ".md", ".txt")
    ]
    assert sorted(p.name for p in others) == ["pages.parquet", "pages.warc.gz"]


def test_every_kind_is_there_for_several_problems():
    kinds = defaultdict(list)
    for page in TRUTH.values():
        kinds[page.kind].append(page.problem)
    print({kind: (len(kinds[kind]), len(set(kinds[kind]))) for kind in KINDS})
    assert set(kinds) == set(KINDS)
    for kind, problems in kinds.items():
        assert len(problems) >= 2, kind
        assert kind == "article" or len(set(problems)) >= 2, kind
    assert len({problem.family for problem in PROBLEMS.values()}) >= 12
    assert len({problem.topic for problem in PROBLEMS.values()}) >= 10


def test_every_encoding_and_every_site_is_on_several_pages():
    encodings = Counter(page.encoding for page in TRUTH.values())
    sites = Counter(page.site for page in TRUTH.values())
    print(encodings, sites)
    assert set(encodings) == set(ENCODINGS) and min(encodings.values()) >= 4
    assert set(sites) == {"forum", "qa", "blog", "course", "wiki", "markdown"}
    assert min(sites.values()) >= 5


def test_several_problems_are_solved_in_different_ways_on_different_sites():
    solutions = defaultdict(set)
    for page in TRUTH.values():
        if page.kind == "solution":
            solutions[page.problem].add((page.site, page.encoding))
    several = {problem for problem, layouts in solutions.items() if len(layouts) >= 2}
    print(len(several), sorted(several))
    assert len(several) >= 8


@pytest.mark.parametrize("page", TRUTH.values(), ids=lambda page: page.page)
def test_labels_obey_the_cross_field_rules(page: Page):
    assert page.problem is None or page.problem in PROBLEMS
    assert (page.question is None) == (page.query is None) == (page.kind == "article")
    assert page.solves and len({row.problem for row in page.solves}) == len(page.solves)
    for row in page.solves:
        validities, codes = RULES[row.score]
        assert row.problem in PROBLEMS
        assert row.validity in validities
        assert row.reason_codes and set(row.reason_codes) <= codes


def test_kinds_and_labels_agree():
    for page in TRUTH.values():
        own = {row.problem: row.score for row in page.solves}.get(page.problem)
        if page.kind in ("solution", "changed_condition", "other_target", "mirror", "six_problems"):
            assert own == 2, page.page
        elif page.kind == "partial":
            assert own == 1, page.page
        elif page.kind not in ("topic", "article", "twin"):
            assert own == 0, page.page


def test_a_query_is_a_part_of_its_question():
    for page in TRUTH.values():
        assert page.query is None or page.query in page.question, page.page


def test_mirrors_share_their_words_and_not_their_site():
    for page in TRUTH.values():
        if page.kind != "mirror":
            continue
        original = TRUTH[page.mirror_of]
        share = (prose(page.body) & prose(original.body)).total() / prose(page.body).total()
        print(page.page, round(share, 3))
        assert share >= 0.8 and page.query == original.query
        assert (page.site, page.encoding) != (original.site, original.encoding)


def test_twins_differ_by_one_number_and_what_follows_from_it():
    for page in TRUTH.values():
        if page.kind != "twin":
            continue
        original = TRUTH[page.twin_of]
        is_asked_anew = page.query != original.query
        before, after = (
            tokens(record.query if is_asked_anew else record.body) for record in (original, page)
        )
        pairs = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        changes = set(pairs)
        assert len(changes) == 1 and (is_asked_anew or len(pairs) == 1), page.page
        assert all(number.isdecimal() for number in next(iter(changes)))
        share = (prose(page.body) & prose(original.body)).total() / prose(page.body).total()
        print(page.page, changes, round(share, 3))
        assert share >= 0.9
        assert (page.problem != original.problem) == is_asked_anew


def test_a_fifth_of_the_pages_is_long():
    sizes = sorted(len(f"{page.question or ''} {page.body}".split()) for page in TRUTH.values())
    long = sum(size >= 400 for size in sizes)
    print(f"{len(sizes)} pages, words {sizes[0]} to {sizes[-1]}, {long} of 400 or more")
    assert long / len(sizes) >= 0.2 and sizes[-1] <= 900


@pytest.mark.parametrize("name", TRUTH)
def test_the_truth_stands_on_the_page(name: str):
    raw, form = RAW[name]
    found = tokens(extract(raw, format=form, charset="utf-8").text)
    page = TRUTH[name]
    assert recall(tokens(page.question), found) >= 0.95
    assert recall(tokens(page.body), found) >= 0.9


def test_packing_again_gives_the_same_bytes(tmp_path: Path):
    for folder, pack, name in (
        ("warc", pack_warc, "pages.warc.gz"),
        ("parquet", pack_parquet, "pages.parquet"),
    ):
        pack(WEB / "packed" / folder, tmp_path / name)
        assert (tmp_path / name).read_bytes() == (PAGES / name).read_bytes()


def shingles(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}


def test_the_evaluation_set_leaks_in_three_ways():
    lines = (WEB / "evaluation" / "contest.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line)["problem"] for line in lines]
    queries = [page.query for page in TRUTH.values() if page.query]
    assert len(items) == len(set(items)) >= 25
    equal = [i for i in items if any(query_key(i) == query_key(q) for q in queries)]
    styled = [i for i in items if any(tokens(i) == tokens(q) for q in queries)]
    close = [
        item
        for item in items
        for grams in [shingles(item)]
        if any(2 * len(grams & shingles(q)) >= len(grams | shingles(q)) for q in queries)
    ]
    assert (len(equal), len(styled), len(close)) == (1, 2, 3)
    assert set(equal) < set(styled) < set(close)
