"""Question removal on pages of seven layouts, and where it must hold back."""

import json
import os
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.normalize import match_spans, math_spans, stored_text
from mathpinpoint.compute.removal import Removal, remove_question

SHARED = Path(
    os.environ.get("MATHPINPOINT_SHARED") or Path(__file__).parents[3].parent / "shared" / "data"
)
PROBLEMS = SHARED / "problems" / "math_test.jsonl"
LIMITS = {"max_share": 0.15, "max_extra_chars": 500}
Part = tuple[str, bool]  # text, is it the question's


def remove(text: str, question: str) -> Removal:
    return remove_question(text, question, **LIMITS)


def respelled(text: str) -> str:
    """The same mathematics in other commands and with other white space."""
    for before, after in (
        (r"\dfrac", r"\frac"), (r"\le ", "≤ "), (r"\leq", "≤"), (r"\geq", "≥"), (r"\pi", "π"),
        (r"\cdot", "·"), (r"\times", "×"), ("^2", "^{2}"), ("=", " = "), ("+", " + "),
        (r"\left(", "("), (r"\right)", ")"), (r"\angle", "∠"), (r"\triangle", "△"),
    ):
        text = text.replace(before, after)
    return stored_text(text)


def wrapped(text: str) -> str:
    """Every fourth space outside of formulas becomes a line break."""
    formulas = math_spans(text)
    spaces = [
        at for at, char in enumerate(text)
        if char == " " and not any(start < at < end for start, end in formulas)
    ]
    chars = list(text)
    for at in spaces[3::4]:
        chars[at] = "\n"
    return "".join(chars)


def cut_near(text: str, place: int) -> tuple[str, str]:
    """Two parts of a text, cut at the space outside of formulas nearest to a place."""
    formulas = math_spans(text)
    spaces = [
        at for at, char in enumerate(text)
        if char == " " and not any(start < at < end for start, end in formulas)
    ]
    middle = min(spaces, key=lambda at: abs(at - place))
    return text[:middle], text[middle + 1 :]


def layouts(question: str, solution: str) -> dict[str, list[Part]]:
    """The pages: parts that are joined by blank lines."""
    first, rest = cut_near(question, len(question) // 2)
    title = cut_near(question, min(60, len(question) // 2))[0]
    answer = (f"Solution.\n{solution}", False)
    return {
        "exact": [("Algebra forum", False), (question, True), answer],
        "respelled": [("Algebra forum", False), (respelled(question), True), answer],
        "wrapped": [(wrapped(question), True), answer],
        "greeting": [
            ("Hello everyone, I am stuck here.", False), ("Problem 12.", False),
            (question, True), ("Thanks in advance!", False), answer,
        ],
        "title": [(title, True), ("asked by gauss42 yesterday", False), (question, True), answer],
        "quoted": [(question, True), answer, (f"> {question}", True), ("Good luck!", False)],
        "figure": [(first, True), ("Figure by the author", False), (rest, True), answer],
    }


def page_of(parts: list[Part]) -> tuple[str, list[tuple[int, int]]]:
    """The page and the spans of the question in it."""
    text, spans = "", []
    for part, is_question in parts:
        text += "\n\n" if text else ""
        if is_question:
            spans.append((len(text), len(text) + len(part)))
        text += part
    return text, spans


def shares(text: str, asked: list[tuple[int, int]], found: Removal) -> tuple[int, int, int, int]:
    """Counts (question tokens, those removed, other tokens, those lost)."""
    counts = [0, 0, 0, 0]
    for token, start, end in match_spans(text):
        is_question = any(begin <= start and end <= stop for begin, stop in asked)
        is_removed = any(begin <= start and end <= stop for begin, stop, *_ in found.spans)
        if token == ">":
            continue
        counts[0 if is_question else 2] += 1
        counts[1 if is_question else 3] += is_removed
    return tuple(counts)


@pytest.mark.skipif(not PROBLEMS.exists(), reason="the shared problems are not here")
def test_seven_layouts_lose_the_question_and_little_else(capsys):
    totals: dict[str, list[int]] = {}
    with PROBLEMS.open() as lines:
        problems = [json.loads(line) for line in islice(lines, 0, 1200, 12)]
    for problem in problems:
        question = stored_text(problem["problem"])
        if len(question.split()) < 8:
            continue
        for layout, parts in layouts(question, stored_text(problem["solution"])).items():
            text, asked = page_of(parts)
            counts = shares(text, asked, remove(text, question))
            before = totals.get(layout, [0] * 4)
            totals[layout] = [a + b for a, b in zip(before, counts, strict=True)]
    totals["all"] = [sum(column) for column in zip(*totals.values(), strict=True)]
    with capsys.disabled():
        print()
        for layout, (n, removed, others, lost) in totals.items():
            print(f"{layout:9} question removed {removed / n:.4f}, others lost {lost / others:.5f}")
    n, removed, others, lost = totals["all"]
    assert removed / n >= 0.99
    assert lost / others <= 0.001


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
@given(ODD, ODD, ODD)
def test_pages_that_hold_their_question_have_an_outcome(before, question, after):
    assert remove(stored_text(before + question + after), question).text is not None
