"""The generated web: the same bytes for a seed, every kind, a truth that holds on the pages."""

import gzip
import hashlib
import json
import re
import time
from collections import Counter
from itertools import combinations
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mathpinpoint.compute.extract.page import extract
from mathpinpoint.compute.normalize import match_tokens, query_key
from mathpinpoint.sample.generate import write_web
from mathpinpoint.sample.truth import KINDS, Page, Problem, read_truth
from mathpinpoint.sample.writers.encodings import ENCODINGS
from mathpinpoint.sample.writers.sites import SITES

LABEL_RULES = {
    2: ({"correct"}, {"full_solution", "equivalent_solution", "correct_short_answer"}),
    1: (
        {"correct", "minor_error"},
        {"correct_partial_method", "correct_partial_subquestion", "minor_math_error"},
    ),
    0: (
        {"major_error", "uncertain", "not_applicable"},
        {
            "major_math_error", "minor_math_error", "wrong_problem", "condition_mismatch",
            "target_mismatch", "topic_only", "question_restatement", "unresolved_attempt",
            "contaminated_or_spliced", "uncertain_math", "missing_context", "figure_dependent",
            "degenerate_text",
        },
    ),
}  # fmt: skip


def shingles(text: str) -> set[tuple[str, ...]]:
    tokens = match_tokens(text)
    return {tuple(tokens[i : i + 5]) for i in range(len(tokens) - 4)}


def jaccard(one: set, two: set) -> float:
    return len(one & two) / max(1, len(one | two))


def digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            total.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return total.hexdigest()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    write_web(folder, 300, 3)
    return folder


@pytest.fixture(scope="module")
def pages(web: Path) -> list[Page]:
    return [record for record in read_truth(web / "truth.jsonl") if isinstance(record, Page)]


@pytest.fixture(scope="module")
def problems(web: Path) -> dict[str, Problem]:
    records = read_truth(web / "truth.jsonl")
    return {record.problem: record for record in records if isinstance(record, Problem)}


def test_two_runs_write_the_same_bytes_and_other_seeds_others(tmp_path: Path) -> None:
    for name, seed in (("one", 11), ("two", 11), ("other", 12)):
        write_web(tmp_path / name, 120, seed)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    assert digest(tmp_path / "one") != digest(tmp_path / "other")


@pytest.mark.parametrize("size", [50, 51, 77, 250])
def test_the_web_has_exactly_the_pages_asked_for(tmp_path: Path, size: int) -> None:
    counts = write_web(tmp_path, size, 5)
    found = [record for record in read_truth(tmp_path / "truth.jsonl") if isinstance(record, Page)]
    assert sum(counts.values()) == len(found) == len({page.page for page in found}) == size
    if size == 250:
        assert set(counts) == set(KINDS)
        assert {page.encoding for page in found} == set(ENCODINGS)
        assert {page.site for page in found} == set(SITES)


def test_fewer_than_fifty_pages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="50 or more"):
        write_web(tmp_path, 49, 1)


def test_every_source_of_the_truth_exists(web: Path, pages: list[Page]) -> None:
    folder = web / "pages"
    n_rows = pq.read_table(folder / "pages.parquet").num_rows
    n_records = gzip.decompress((folder / "pages.warc.gz").read_bytes()).count(
        b"\r\nWARC-Type: response\r\n"
    )
    by_store = Counter(page.page.split("#")[0] for page in pages)
    assert by_store["pages.parquet"] == n_rows > 0 and by_store["pages.warc.gz"] == n_records > 0
    files = [page.page for page in pages if "#" not in page.page]
    assert all((folder / name).is_file() for name in files)
    assert {Path(name).suffix for name in files} == {".html", ".md", ".txt"}


def test_the_truth_stands_on_the_pages(web: Path, pages: list[Page]) -> None:
    """Extraction gives back the words and the TeX of question and body."""
    rows = pq.read_table(web / "pages" / "pages.parquet").column("content").to_pylist()
    shares: dict[str, list[float]] = {}
    for page in pages:
        name, _, number = page.page.partition("#")
        if name == "pages.warc.gz":
            continue
        path = web / "pages" / name
        raw = rows[int(number)].encode() if number else path.read_bytes()
        form = "html" if number else path.suffix[1:]
        found = Counter(match_tokens(extract(raw, format=form, charset="utf-8").text))
        wanted = Counter(match_tokens(f"{page.question or ''} {page.body}"))
        shares.setdefault(page.encoding, []).append((wanted & found).total() / wanted.total())
    print({name: (round(min(found), 3), len(found)) for name, found in shares.items()})
    lossy = ("mathml", "sup_sub", "unicode")
    for name, found in shares.items():
        assert min(found) >= (0.88 if name in lossy else 0.999), name


def test_labels_follow_the_cross_field_rules(
    pages: list[Page], problems: dict[str, Problem]
) -> None:
    for page in pages:
        for row in page.solves:
            validities, codes = LABEL_RULES[row.score]
            assert (
                row.validity in validities and row.reason_codes and set(row.reason_codes) <= codes
            )
            assert row.problem in problems


def test_questions_belong_to_their_problems(
    pages: list[Page], problems: dict[str, Problem]
) -> None:
    for page in pages:
        if page.problem:
            assert page.query == problems[page.problem].statement
            assert page.question.endswith(page.query)
            assert page.problem in {row.problem for row in page.solves}
        elif page.kind != "needs_figure":
            assert page.question is None and page.query is None
    statements = [problem.statement for problem in problems.values()]
    assert len(set(statements)) == len(statements)


def test_right_pages_give_the_answer_and_partial_ones_do_not_end(
    pages: list[Page], problems: dict[str, Problem]
) -> None:
    for page in pages:
        answer = problems[page.problem].answer.strip("$") if page.problem else ""
        if page.kind in ("solution", "invalid_reasoning", "other_target", "changed_condition"):
            assert answer in page.body, (page.page, answer)
        if page.kind == "partial":
            ends = [text for text in page.body.split("$")[1::2] if text.endswith(f"= {answer}")]
            assert not ends, (page.page, ends)


def test_mirrors_repeat_their_page_elsewhere(pages: list[Page]) -> None:
    by_name = {page.page: page for page in pages}
    mirrors = [page for page in pages if page.kind == "mirror"]
    for page in mirrors:
        first = by_name[page.mirror_of]
        assert (page.problem, page.question, page.solves) == (
            first.problem,
            first.question,
            first.solves,
        )
        assert page.site != first.site
        assert jaccard(shingles(page.body), shingles(first.body)) >= 0.9
    assert any(page.body != by_name[page.mirror_of].body for page in mirrors)


def test_twins_differ_from_their_page_in_numbers_only(pages: list[Page]) -> None:
    by_name = {page.page: page for page in pages}
    twins = [page for page in pages if page.kind == "twin"]
    slipped = 0
    for page in twins:
        first = by_name[page.twin_of]
        one, two = (re.findall(r"\d+", f"{text.query} {text.body}") for text in (first, page))
        assert page.query != first.query and page.problem != first.problem
        assert re.sub(r"[^A-Za-z ]", "", first.query) == re.sub(r"[^A-Za-z ]", "", page.query)
        if page.solves[0].score == 0:
            slipped += 1
            assert sum(a != b for a, b in zip(one, two, strict=True)) == 2
            assert jaccard(shingles(page.body), shingles(first.body)) > 0.7
    assert 0 < slipped < len(twins)


def test_pages_of_different_problems_do_not_look_alike(pages: list[Page]) -> None:
    copies = ("mirror", "twin", "question_only", "needs_figure", "degenerate")
    bodies = [(page, shingles(page.body)) for page in pages if page.kind not in copies]
    close = [
        (one.page, two.page)
        for (one, first), (two, second) in combinations(bodies, 2)
        if jaccard(first, second) >= 0.5
    ]
    print("pairs at 0.5 or more:", len(close))
    assert not [pair for pair in close if pair]


def test_the_contest_leaks_as_it_says(web: Path, pages: list[Page]) -> None:
    lines = (web / "evaluation" / "contest.jsonl").read_text(encoding="utf-8").splitlines()
    items = {item["id"]: item["problem"] for item in map(json.loads, lines)}
    leaks = [json.loads(line) for line in (web / "leaks.jsonl").read_text().splitlines()]
    queries = [page.query for page in pages if page.query]
    assert len(items) == 40 and {leak["how"] for leak in leaks} == {"case", "latex", "reworded"}
    folded = {query_key(query) for query in queries}
    grams = [shingles(query) for query in queries]
    leaking = {leak["id"]: leak["how"] for leak in leaks}
    for name, text in items.items():
        equal = query_key(text) in folded
        near = max(jaccard(shingles(text), gram) for gram in grams)
        assert equal == (leaking.get(name) == "case")
        assert near >= 0.5 if name in leaking else near < 0.3


@pytest.mark.slow
def test_ten_thousand_pages_take_less_than_a_minute(tmp_path: Path) -> None:
    start = time.process_time()
    write_web(tmp_path, 10_000, 1)
    seconds = time.process_time() - start
    print(f"10,000 pages in {seconds:.1f} s of CPU")
    assert seconds < 60
