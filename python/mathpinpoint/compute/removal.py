"""Question removal: a page's text without the question that it asks.

Three passes, each over what the ones before left: the question as it is; the question with
other white space; near-verbatim residue (compute/residue.py). No cut goes through a formula or
across a border of the page's blocks, and nothing but the question is a target.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from mathpinpoint.compute.normalize import match_tokens, math_spans, stored_text
from mathpinpoint.compute.removal_page import Page, Zone
from mathpinpoint.compute.residue import remove_residue
from mathpinpoint.compute.shingles import shingles

REMOVAL_VERSION = "2"

RESIDUE_TOKENS = 5
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'’-]*|\p{N}+")


@dataclass(frozen=True)
class Removal:
    """What was removed, and what is left; spans are (start, end, kind, score) of the page."""

    outcome: str  # exact, whitespace, near, not_found, no_question
    spans: list[tuple[int, int, str, float]]
    text: str  # in stored form
    residue_share: float  # of the question's 5-grams, still in the text
    n_prose_tokens: int
    n_math_spans: int


def remove_question(
    text: str, question: str, *, zones: Sequence[Zone] = (), max_share: float, max_extra_chars: int
) -> Removal:
    """Removes `question` (any form) from a page's text (stored form).

    `zones` are the page's blocks, (start, end, role) ascending and disjoint; none where nobody knows
    them. Beyond copies of the question, the near-verbatim pass deletes at most `max_share` of the
    text and at most `max_extra_chars` characters. A question of no tokens removes nothing.
    """
    asked = stored_text(question)
    budget = int(min(max_share * len(text), max_extra_chars))
    page = Page(text, asked, budget, zones)
    if not page.question:
        return _removal("no_question", page)
    outcome, zone_end = "not_found", None
    for kind, found in (("exact", _exact), ("whitespace", _whitespace)):
        if span := found(page, asked):
            page.take(*span, kind, 1.0)
            outcome, zone_end = kind, span[1]
            break
    if remove_residue(page, zone_end) and outcome == "not_found":
        outcome = "near"
    return _removal(outcome, page)


def _first(page: Page, places: Iterator[tuple[int, int]]) -> tuple[int, int] | None:
    """The first place that may be cut out; one within an answer only where there is no other."""
    answered = None
    for place in places:
        if not page.can_cut(*place):
            continue
        if not page.is_answered(place[0]):
            return place
        answered = answered or place
    return answered


def _exact(page: Page, asked: str) -> tuple[int, int] | None:
    """Where the question stands as it is."""

    def places() -> Iterator[tuple[int, int]]:
        start = page.text.find(asked)
        while start >= 0:
            yield start, start + len(asked)
            start = page.text.find(asked, start + 1)

    return _first(page, places())


def _whitespace(page: Page, asked: str) -> tuple[int, int] | None:
    """The same without regard to white space."""
    stands = np.array([at for at, char in enumerate(page.text) if not char.isspace()])
    dense, wanted = "".join(page.text.split()), "".join(asked.split())

    def places() -> Iterator[tuple[int, int]]:
        at = dense.find(wanted)
        while at >= 0:
            yield int(stands[at]), int(stands[at + len(wanted) - 1]) + 1
            at = dense.find(wanted, at + 1)

    return _first(page, places())


def _removal(outcome: str, page: Page) -> Removal:
    spans = sorted(page.removed)
    parts, position = [], 0
    for start, end, _, _ in spans:
        parts.append(page.text[position:start])
        position = max(position, end)
    left = stored_text(" ".join([*parts, page.text[position:]]))
    formulas = math_spans(left)
    return Removal(
        outcome, spans, left, _residue_share(page.question, left),
        len(_WORD.findall(_prose(left, formulas))), len(formulas),
    )


def _prose(text: str, formulas: list[tuple[int, int]]) -> str:
    bounds = [0, *(at for formula in formulas for at in formula), len(text)]
    return " ".join(text[bounds[at] : bounds[at + 1]] for at in range(0, len(bounds), 2))


def _residue_share(question: list[str], left: str) -> float:
    """The share of the question's distinct n-grams that the text still holds."""
    size = min(RESIDUE_TOKENS, len(question))
    if not size:
        return 0.0
    asked = shingles(question, size=size)
    tokens = match_tokens(left)
    if len(tokens) < size:
        return 0.0
    return float(np.isin(asked, shingles(tokens, size=size)).mean())
