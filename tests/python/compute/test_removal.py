"""Question removal: what goes, and where it must hold back. Layouts are measured by `benchmarks/removal`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.normalize import math_spans, stored_text
from mathpinpoint.compute.removal import Removal, remove_question

LIMITS = {"max_share": 0.15, "max_extra_chars": 500}


def remove(text: str, question: str, zones=()) -> Removal:
    return remove_question(text, question, zones=zones, **LIMITS)


def with_zones(*parts: tuple[str, str]) -> tuple[str, list[tuple[int, int, str]]]:
    """A page of (role, text) parts joined by blank lines, and its blocks."""
    text, zones = "", []
    for role, part in parts:
        text += "\n\n" if text else ""
        zones.append((len(text), len(text) + len(part), role))
        text += part
    return text, zones


@pytest.mark.parametrize(
    ("text", "question", "outcome"),
    [
        ("Q. Find $x$ if $x+1=3$.\n\n$x=2$", "Find $x$ if $x+1=3$.", "exact"),
        ("Find $x$\nif $x + 1=3$.\n\n$x=2$", "Find $x$ if $x+1=3$.", "whitespace"),
        ("Find $x$ such that $x^2 ≤ 3$!\n\nNone.", r"Find $x$ such that $x^{2}\le 3$.", "near"),
        ("A page about groups.", "What is the least prime above 100?", "not_found"),
        ("A page about groups.", "", "no_question"),
        ("A page about groups.", "  ", "no_question"),
        ("", "What is the least prime above 100?", "not_found"),
    ],
)
def test_outcomes(text, question, outcome):
    found = remove(text, question)
    assert found.outcome == outcome
    assert found.text == text or outcome in ("exact", "whitespace", "near")


def test_statement_goes_and_its_proof_stays():
    statement = "Theorem 2. Let $n$ be odd. Then $n^{2}-1$ is divisible by 8."
    proof = "Proof. Let $n=2k+1$. Then $n^{2}-1=4k(k+1)$, and $k(k+1)$ is even."
    assert remove(f"{statement}\n\n{proof}", statement).text == proof


def test_restatement_within_the_solution_stays():
    question = "What is the area of a triangle with base 6 and height 4?"
    solution = "The area of a triangle with base 6 and height 4 is 12, half of 24."
    assert remove(f"{question}\n\n{solution}", question).text == solution


def test_restatement_with_the_numbers_solved_in_stays():
    question = "Find all real $x$ for which $3x+5=20$ holds."
    solution = "All real $x$ for which $3x+5=20$ holds: $x=5$, since $3\\cdot 5+5=20$ holds."
    assert remove(f"{question}\n\n{solution}", question).text == solution


def test_only_the_part_asked_is_removed():
    page = "(a) Find $f(1)$ if $f(x)=x^{2}$.\n(b) Find $f(2)$ if $f(x)=x^{2}$.\n(a) 1. (b) 4."
    found = remove(page, "(b) Find $f(2)$ if $f(x)=x^{2}$.")
    assert found.text == "(a) Find $f(1)$ if $f(x)=x^{2}$.\n\n(a) 1. (b) 4."


@pytest.mark.parametrize("number", [0, 7, 19])
def test_list_page_loses_one_problem_of_twenty(number):
    problems = [f"{at + 1}. Solve ${at + 2}x+5={at + 20}$ for $x$." for at in range(20)]
    wanted = problems[number].split(" ", 1)[1]
    found = remove("\n".join(problems), wanted.replace("+", " + "))
    for at, problem in enumerate(problems):
        assert (problem.split(" ", 1)[1] in found.text) == (at != number)


def test_question_is_not_cut_out_of_a_formula():
    page = "The sum $a+b+c$ is odd.\n\nWe have $a+b$ even."
    found = remove(page, "$a+b$")
    assert found.outcome == "exact"
    assert found.text == "The sum $a+b+c$ is odd.\n\nWe have even."
    assert remove("The sum $1+a+b+c$ is odd.", "a+b").outcome == "not_found"


def test_residue_keeps_within_its_budget():
    question = " ".join(f"alpha{at} beta{at} gamma{at}" for at in range(20)) + " end"
    stub = " ".join(question.split()[:30])
    page = "\n".join([stub] * 6 + [question, "The answer is one."])
    found = remove(page, question)
    beyond = sum(end - start for start, end, kind, _ in found.spans if kind == "block")
    assert 0 < beyond <= LIMITS["max_share"] * len(page)
    assert remove_question(page, question, max_share=0, max_extra_chars=0).text.count(stub) == 6


def test_residue_share_tells_what_is_left():
    question = "Find the least prime number above one hundred and its square."
    assert remove(f"{question}\n\nIt is 101.", question).residue_share == 0
    assert remove("A page about groups and rings.", question).residue_share == 0
    again = f"{question}\n\nSo we find the least prime number above one hundred and more: 101."
    assert remove(again, question).residue_share > 0.3


def test_statement_in_an_image_leaves_the_page_as_it_is():
    page = "Problem 7 [figure: the statement]\n\nSolution. Each is $60^{\\circ}$, so that they sum to $180^{\\circ}$."
    found = remove(page, "What is the sum of the angles of the equilateral triangle that is shown above?")
    assert (found.outcome, found.text, found.residue_share) == ("not_found", page, 0)


REWORDED = "Determine the value of $x$, please, for which one has $x^{2}+17x=84$ and also $x>0$ at the same time."
ASKED = "For which positive $x$ does the value of $x^{2}+17x$ equal $84$? We want $x>0$."
SOLVED = "Since $x^{2}+17x-84=(x+21)(x-4)$, the value of $x$ for which one has $x>0$ is $x=4$."


def test_reworded_question_stays_where_nobody_knows_the_blocks():
    page, _ = with_zones(("question", REWORDED), ("answer", SOLVED))
    found = remove(page, ASKED)
    assert (found.outcome, found.text) == ("not_found", page)


def test_reworded_question_goes_where_the_asker_s_block_is_known():
    words = "Let f be a map from the set of the integers to itself. Is it onto if it is a sum of squares?"
    again = "I have f, some map from the set of all integers to itself. Must it then be onto if it is a sum of squares?"
    asker, answer = f"{again} Thank you for your time.", "No: no sum of squares is negative. " * 9 + "So it is not."
    page, zones = with_zones(("question", asker), ("answer", answer), ("comment", "Nice."))
    assert remove(page, words).outcome == "not_found"
    found = remove(page, words, zones)
    assert (found.outcome, found.text) == ("near", f"Thank you for your time.\n\n{answer}\n\nNice.")
    assert {kind for _, _, kind, _ in found.spans} == {"asked"}


def test_part_that_is_not_asked_stays_in_the_asker_s_block():
    parts = "(a) Find the value of $f(1)$ if $f(x)=x^{2}$.\n(b) Find the value of $f(2)$ if $f(x)=x^{2}$."
    page, zones = with_zones(("question", parts), ("answer", "(a) 1. (b) 4."))
    found = remove(page, "Find the value of $f(2)$ if $f(x)= x^{2}$", zones)
    assert "$f(1)$ if" in found.text and "$f(2)$ if" not in found.text and "(b) 4." in found.text


def test_answer_loses_a_quotation_and_keeps_a_restatement():
    question = "What is the area of a triangle with base 6 and height 4?"
    restated = "The area of a triangle with base 6 and height 4 is 12, half of 24."
    page, zones = with_zones(("question", f"Hi! {question}"), ("answer", f"> {question}\n{restated}"))
    assert remove(page, question, zones).text == f"Hi!\n\n>\n{restated}"


def test_question_is_looked_for_outside_of_answers_first():
    question = "the value of the least prime number above one hundred"
    restated = f"To get {question} one tries 101 and finds no divisor."
    page, zones = with_zones(("answer", restated), ("question", f"Hello, {question}?"), ("comment", "Homework?"))
    assert remove(page, question, zones).text == f"{restated}\n\nHello,\n\nHomework?"
    assert remove(page, question).text.startswith("To get one tries 101")


def test_page_that_nobody_asked_about_keeps_a_statement_of_another_page_s_question():
    page = "Find the least prime above 100. It is 101."
    found = remove(page, "")
    assert (found.outcome, found.text) == ("no_question", page)


def test_article_dropped_in_copying_leaves_no_quotation_behind():
    question = "Let $n$ be positive integer. What is the sum of the first $n$ odd numbers?"
    page = "Let $n$ be a positive integer. What is the sum of the first $n$ odd numbers?"
    found = remove(f"{page}\n\nIt is $n^{{2}}$.\n\n> {page}\n\nBy induction.", question)
    assert found.text == "It is $n^{2}$.\n\n>\n\nBy induction."


PIECES = ["$", "$$", "x", "=", "2", " ", "\n", r"\(", r"\)", "find", ".", r"\frac", "{", "}"]
ODD = st.lists(st.sampled_from(PIECES)).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.text() | ODD, st.text() | ODD)
def test_any_page_and_question_have_an_outcome(text, question):
    text = stored_text(text)
    found = remove(text, question)
    assert found.outcome in ("exact", "whitespace", "near", "not_found", "no_question")
    assert stored_text(found.text) == found.text
    ends = [0]
    for start, end, _, score in found.spans:
        assert ends[-1] <= start < end <= len(text)
        assert 0 <= score <= 1
        assert not any(
            begin < at < stop for at in (start, end) for begin, stop in math_spans(text)
        )
        ends.append(end)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["question", "answer", "comment", "other"]), ODD), max_size=4), ODD)
def test_no_cut_crosses_a_border_of_the_page_s_blocks(parts, question):
    text, zones = with_zones(*((role, stored_text(part)) for role, part in [*parts, ("answer", question)]))
    zones = [zone for zone in zones if zone[0] < zone[1]]
    inside = [(start, end) for start, end in math_spans(text)]
    for start, end, *_ in remove(text, question, zones).spans:
        for edge in (edge for first, last, _ in zones for edge in (first, last)):
            assert not start < edge < end or any(first < edge < last for first, last in inside)


@settings(max_examples=300, deadline=None)
@given(ODD, ODD, ODD)
def test_pages_that_hold_their_question_have_an_outcome(before, question, after):
    assert remove(stored_text(before + question + after), question).text is not None
