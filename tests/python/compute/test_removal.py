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


def cut_at_sentence(text: str) -> tuple[str, str]:
    """Two parts of a text, cut at the space outside of formulas nearest to its middle."""
    formulas = math_spans(text)
    spaces = [
        at for at, char in enumerate(text)
        if char == " " and not any(start < at < end for start, end in formulas)
    ]
    middle = min(spaces, key=lambda at: abs(at - len(text) // 2))
    return text[:middle], text[middle + 1 :]


def layouts(question: str, solution: str) -> dict[str, list[Part]]:
    """The pages: parts that are joined by blank lines."""
    first, rest = cut_at_sentence(question)
    answer = (f"Solution.\n{solution}", False)
    return {
        "exact": [("Algebra forum", False), (question, True), answer],
        "respelled": [("Algebra forum", False), (respelled(question), True), answer],
        "wrapped": [(wrapped(question), True), answer],
        "greeting": [
            ("Hello everyone, I am stuck here.", False), ("Problem 12.", False),
            (question, True), ("Thanks in advance!", False), answer,
        ],
        "title": [(first, True), ("asked by gauss42 yesterday", False), (question, True), answer],
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
            totals[layout] = [a + b for a, b in zip(totals.get(layout, [0] * 4), counts)]
    with capsys.disabled():
        print()
        for layout, (n, removed, others, lost) in totals.items():
            print(f"{layout:10} question removed {removed / n:.4f}, others lost {lost / others:.4f}")
    n, removed, others, lost = (sum(column) for column in zip(*totals.values()))
    with capsys.disabled():
        print(f"{'all':10} question removed {removed / n:.4f}, others lost {lost / others:.5f}")
    assert removed / n >= 0.98
    assert lost / others <= 0.002
