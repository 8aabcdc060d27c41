"""Pages made of real problems and their solutions, in seven layouts; what of them is the question is known.

A page is a list of parts joined by blank lines, each the question's or not. The question that is to be removed is what
a careful reader copies from the page: the same text with a small edit.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import regex

from mathpinpoint.compute.normalize import math_spans, stored_text

Part = tuple[str, bool]  # text, is it the question's
Span = tuple[int, int]
LEAST_WORDS = 8  # of a problem outside its formulas: a shorter one has no half that says anything
UNICODE = {
    r"\dfrac": r"\frac", r"\leq": "≤", r"\le ": "≤ ", r"\geq": "≥", r"\pi": "π", r"\cdot": "·", r"\times": "×",
    r"\angle": "∠", r"\triangle": "△", r"\infty": "∞", r"\circ": "∘", r"\left(": "(", r"\right)": ")",
    "^2": "²", "^3": "³", "=": " = ", "+": " + ",
}


@dataclass(frozen=True)
class Page:
    """One page: its text, the spans of its question, the question asked to be removed."""

    layout: str
    text: str
    spans: list[Span]
    question: str


def pages(path: Path, n_problems: int) -> Iterator[Page]:
    """The pages of `n_problems` problems spread over a JSONL file of `problem` and `solution`."""
    with path.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if len(_spaces(stored_text(row["problem"]))) >= LEAST_WORDS]
    for number in range(n_problems):
        row = rows[number * len(rows) // n_problems]
        question, solution = stored_text(row["problem"]), stored_text(row["solution"])
        asked = EDITS[number % len(EDITS)](question)
        for layout, parts in layouts(question, solution).items():
            yield _page(layout, parts, asked)


def layouts(question: str, solution: str) -> dict[str, list[Part]]:
    """The seven layouts of a question and its solution."""
    first, rest = _cut(question, len(question) // 2)
    title = _cut(question, min(60, len(question) // 2))[0]
    answer = (f"Solution.\n{solution}", False)
    return {
        "exact": [("Algebra forum", False), (question, True), answer],
        "LaTeX to Unicode": [("Algebra forum", False), (_as_unicode(question), True), answer],
        "wrapped": [(_wrapped(question), True), answer],
        "greeting, number": [
            ("Hello everyone, I am stuck here.", False), ("Problem 12.", False), (question, True),
            ("Thanks in advance!", False), answer,
        ],
        "title and body": [(title, True), ("asked by gauss42 yesterday", False), (question, True), answer],
        "quoted again": [(question, True), answer, (f"> {question}", True), ("Good luck!", False)],
        "cut by a figure": [(first, True), ("Figure by the author", False), (rest, True), answer],
    }


def _page(layout: str, parts: list[Part], asked: str) -> Page:
    text, spans = "", []
    for part, is_question in parts:
        text += "\n\n" if text else ""
        if is_question:
            spans.append((len(text), len(text) + len(part)))
        text += part
    return Page(layout, text, spans, asked)


def _spaces(text: str) -> list[int]:
    """Places of the spaces outside of formulas."""
    formulas = math_spans(text)
    return [
        at for at, char in enumerate(text)
        if char == " " and not any(start < at < end for start, end in formulas)
    ]


def _wrapped(text: str) -> str:
    """Every fourth space outside of formulas becomes a line break."""
    chars = list(text)
    for at in _spaces(text)[3::4]:
        chars[at] = "\n"
    return "".join(chars)


def _cut(text: str, place: int) -> tuple[str, str]:
    """Two parts of a text, cut at the space outside of formulas nearest to a place."""
    middle = min(_spaces(text), key=lambda at: abs(at - place))
    return text[:middle], text[middle + 1 :]


def _as_unicode(text: str) -> str:
    """The same mathematics in other commands, as characters and with other white space."""
    for before, after in UNICODE.items():
        text = text.replace(before, after)
    return stored_text(text)


def _without_a_word(text: str) -> str:
    return regex.sub(r" (?:the|a|that|of) ", " ", text, count=1)


EDITS = (
    lambda text: text,
    lambda text: " ".join(text.split()),
    lambda text: text.replace(r"\dfrac", r"\frac").replace(r"\left", "").replace(r"\right", ""),
    lambda text: regex.sub(r"(?<!\$)\$([^$]+)\$(?!\$)", r"\\(\1\\)", text),
    lambda text: text.rstrip(".?!"),
    _without_a_word,
    lambda text: f"Problem: {text}",
)
