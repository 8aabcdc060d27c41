"""The sample LLM finds every page of the shipped web by the text that is extracted from it."""

from pathlib import Path

import pytest

import mathpinpoint.sample
from mathpinpoint.compute.extract.page import extract
from mathpinpoint.land.pages import captures
from mathpinpoint.sample.llm.answers import Answers
from mathpinpoint.sample.llm.fences import Shown
from mathpinpoint.sample.llm.labels import true_label
from mathpinpoint.sample.llm.oracle import Oracle, read_oracle
from mathpinpoint.sample.llm.tokens import tokens

WEB = Path(mathpinpoint.sample.__file__).parent / "web"


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return read_oracle([WEB / "truth.jsonl"])


@pytest.fixture(scope="module")
def texts(oracle: Oracle) -> dict[str, str]:
    """The extracted text of each page of the truth."""
    named = {page.page for page in oracle.pages}
    batches = captures(
        [WEB / "pages"], text_column=None, landed=(), skipped=[], max_page_bytes=10_000_000,
        max_ratio=1_000, batch_rows=1_000, batch_bytes=100_000_000,
    )  # fmt: skip
    rows = [row for batch in batches for row in batch.to_pylist() if row["source"] in named]
    return {
        row["source"]: extract(row["raw"], format=row["format"], charset=row["charset"]).text
        for row in rows
    }


def test_each_page_is_found_with_and_without_its_question(oracle, texts):
    answers = Answers(oracle, disagreement=0.0, seed=7)
    assert len(texts) > 70
    for page in oracle.pages:
        if page.page not in texts:
            continue
        text = texts[page.page]
        answer = answers.answer("query_extraction", _OPEN, Shown(text, None, "", ""), page.page)
        rest = text.replace(answer["question_verbatim"] or "\0", "")
        for shown in (text, rest):
            assert oracle.page_of(shown).solves == page.solves, page.page
        if page.query is not None and page.kind != "degenerate":
            assert answer["question_verbatim"] in text
            assert tokens(answer["query"]) == tokens(page.query), page.page
            asked = oracle.asked_of(answer["query"])
            assert asked.problem.problem == page.problem, page.page


def test_each_label_of_the_truth_is_given(oracle, texts):
    n_labels = 0
    for page in oracle.pages:
        for row in page.solves if page.page in texts else []:
            asked = oracle.asked_of(oracle.problems[row.problem].statement)
            if oracle.needs_figure(asked):
                continue
            label = true_label(oracle, asked, oracle.page_of(texts[page.page]))
            assert (label.score, label.validity) == (row.score, row.validity), page.page
            n_labels += 1
    assert n_labels > 200


_FIELDS = ("has_query", "question_verbatim", "query", "edit_ops")
_OPEN = {"properties": {name: {} for name in _FIELDS}}
