"""Notations meet in one token form; passages are exact, and never cut inside a formula."""

from dataclasses import replace

import pytest
from llm_truth import CONGRUENCE, FIGURE_QUESTION, PAGES, SUM, shown

from mathpinpoint.sample.llm.align import edit_question, find_passage
from mathpinpoint.sample.llm.fences import read_fences
from mathpinpoint.sample.llm.fill import fill
from mathpinpoint.sample.llm.labels import true_label
from mathpinpoint.sample.llm.oracle import Oracle
from mathpinpoint.sample.llm.tokens import tokens
from mathpinpoint.sample.truth import Page


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$x^{2} \\le \\dfrac{1}{2}$", "x² ≤ ½"),
        ("$x^{-n} + a_{1}$", "x⁻ⁿ + a₁"),
        ("$a_{n+1} \\neq \\alpha\\beta$", "aₙ₊₁ ≠ αβ"),
        ("$\\left( \\frac12 \\right) \\times \\pi$", "(1/2) × π"),
        ("$7x \\equiv 5 \\pmod{41}$", "7x ≡ 5 (mod 41)"),
        ("$\\displaystyle\\sin x \\to \\infty$", "sin x → ∞"),
        ("Let $x \\in \\mathbb{R}$.", "let x ∈ ℝ"),
    ],
)
def test_two_notations_give_the_same_tokens(one, other):
    assert tokens(one) == tokens(other)


def test_another_number_or_relation_gives_other_tokens():
    texts = ["$x^2 < 5$", "$x^2 \\le 5$", "$x^2 < 6$", "$x^3 < 5$", "$x + 2 < 5$"]
    assert len({tuple(tokens(text)) for text in texts}) == len(texts)


QUESTION = (
    "Exercise 3. Let $x$ be real with $$ x^{2} + 3 x \\le \\frac{1}{2} $$. Find $x + 1$. Thanks!"
)


def test_a_passage_is_exact_and_cuts_no_formula():
    text = f"Forum\n\n{QUESTION}\n\nLet $x$ be 3. Find out."
    wanted = "Exercise 3. Let $x$ be real with $$x^2+3x\\leq\\dfrac12$$. Find $x+1$. Thanks!"
    assert find_passage(text, wanted) == QUESTION
    assert find_passage(text, "real with $x^2+3x$") == (
        "real with $$ x^{2} + 3 x \\le \\frac{1}{2} $$."
    )
    assert find_passage(text, "A text about groups of order sixty and their subgroups") is None


@pytest.mark.parametrize(
    ("wanted", "query", "ops"),
    [
        (QUESTION, QUESTION, ["none"]),
        (
            "Let $x$ be real with $x^2+3x\\le\\frac12$. Find $x+1$.",
            QUESTION.removeprefix("Exercise 3. ").removesuffix(" Thanks!"),
            ["remove"],
        ),
        (
            "Let $x$ be real and not equal to zero with $x^2+3x\\le\\frac12$. Find $x+1$.",
            "Let $x$ be real and not equal to zero with $$ x^{2} + 3 x \\le \\frac{1}{2} $$. "
            "Find $x + 1$.",
            ["insert", "remove"],
        ),
    ],
)
def test_a_query_is_the_question_with_the_smallest_edits(wanted, query, ops):
    edit = edit_question(QUESTION, wanted)
    assert (edit.query, edit.edit_ops) == (query, ops)


def test_a_page_needs_its_figure_though_others_state_the_problem():
    vague = Page("vague", "needs_figure", "sum", FIGURE_QUESTION, FIGURE_QUESTION, "See there.")
    oracle = Oracle([CONGRUENCE, SUM, PAGES["sum"], vague])
    page = oracle.page_of(shown("sum"))
    assert true_label(oracle, oracle.asked_of(FIGURE_QUESTION), page).score is None
    assert true_label(oracle, oracle.asked_of(SUM.statement), page).score == 2


def test_problems_asked_in_the_same_words_are_one():
    again = replace(SUM, problem="sum-again")
    oracle = Oracle([CONGRUENCE, again, SUM, PAGES["sum"]])
    asked = oracle.asked_of(SUM.statement)
    assert true_label(oracle, asked, oracle.page_of(shown("sum"))).score == 2
    assert oracle.is_same("sum", "sum-again") and not oracle.is_same("sum", "congruence-7")


def test_the_first_fence_rules_in_either_order():
    one, other = "0" * 16, "1" * 16
    user = f"<<<page {one}\nA\n<<<query {other}\nB\n{other} query>>>\n{one} page>>>\n"
    assert read_fences([{"role": "user", "content": user}]).page.startswith("A\n<<<query")
    asked = read_fences([{"role": "user", "content": f"{user}<<<query {one}\nC\n{one} query>>>"}])
    assert (asked.query, asked.around.strip()) == ("C", "")


def test_a_schema_is_filled_whatever_it_asks():
    schema = {
        "properties": {
            "task_id": {"type": "string"},
            "version": {"type": "string", "const": "3"},
            "edit_ops": {"type": "string"},
            "certain": {"type": "string", "enum": ["yes", "no", "unclear"]},
            "score": {"type": ["integer", "null"], "enum": [0, 1, 2, None]},
            "notes": {"type": "array"},
        }
    }
    facts = {"edit_ops": ["remove", "insert"], "score": 1}
    assert fill(schema, facts, "task_id: `judge_pair`") == {
        "task_id": "judge_pair", "version": "3", "edit_ops": "remove,insert",
        "certain": "unclear", "score": 1, "notes": [],
    }  # fmt: skip
