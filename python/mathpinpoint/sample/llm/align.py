"""Aligns a truth's text with the text shown, and gives passages of the shown text."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from .tokens import spans

_MATH = re.compile(r"\$\$.+?\$\$|\$[^$\n]+?\$", re.DOTALL)
Span = tuple[str, int, int]


@dataclass(frozen=True)
class Edit:
    """A query made of passages of the question shown, and what was done to it."""

    query: str
    edit_ops: list[str]


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends out of formulas, then to the nearest white space."""
    for match in _MATH.finditer(text):
        if match.start() < start < match.end():
            start = match.start()
        if match.start() < end < match.end():
            end = match.end()
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def _blocks(wanted: list[str], shown: list[str]) -> list[tuple[int, int, int]]:
    """Give the matching runs (place in wanted, place in shown, length) without stray tokens."""
    found = SequenceMatcher(None, wanted, shown, autojunk=False).get_matching_blocks()
    runs = [tuple(block) for block in found if block.size]
    long = [at for at, run in enumerate(runs) if run[2] >= min(3, len(wanted))]
    if not long:
        return []
    first, last = long[0], long[-1]
    while first and runs[first][1] - sum(runs[first - 1][1:]) <= runs[first][0] + 2:
        first -= 1
    while last + 1 < len(runs):
        left = len(wanted) - runs[last][0] - runs[last][2]
        if runs[last + 1][1] - sum(runs[last][1:]) > left + 2:
            break
        last += 1
    return runs[first : last + 1]


def _region(wanted: list[str], shown: list[str]) -> tuple[int, int]:
    """Find where the shown tokens hold most of the wanted 3-grams; the first such place."""
    grams = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    hits = np.array([gram in grams for gram in zip(shown, shown[1:], shown[2:], strict=False)])
    if not hits.any():
        return 0, min(len(shown), 3 * len(wanted))
    sums = np.concatenate([[0], hits.cumsum()])
    width = min(len(wanted) + len(wanted) // 4, len(hits))
    start = int(np.argmax(sums[width:] - sums[:-width]))
    return max(0, start - len(wanted) // 2), start + width + len(wanted) // 2


def find_passage(text: str, wanted: str) -> str | None:
    """Give the passage of `text` that best aligns with `wanted`; None where under half is found."""
    target = [token for token, _, _ in spans(wanted)]
    shown = spans(text)
    if not target or not shown:
        return None
    low, high = _region(target, [token for token, _, _ in shown])
    near = shown[low:high]
    blocks = _blocks(target, [token for token, _, _ in near])
    if 2 * sum(size for _, _, size in blocks) < len(target):
        return None
    first, last = near[blocks[0][1]], near[sum(blocks[-1][1:]) - 1]
    start, end = _widen(text, first[1], last[2])
    return text[start:end]


def _piece(text: str, found: list[Span], low: int, high: int) -> str:
    start, end = _widen(text, found[low][1], found[high - 1][2])
    return text[start:end]


def edit_question(question: str, wanted: str) -> Edit:
    """Give `question` with the smallest edits that make it the truth's `wanted` query.

    A run that only the question has is removed; a run that only `wanted` has is inserted, or
    replaces what stands there; another notation of the same formula stays as shown.
    """
    have, want = spans(question), spans(wanted)
    blocks = _blocks([t for t, _, _ in want], [t for t, _, _ in have])
    if not blocks:
        return Edit(question, ["none"])
    pieces: list[str] = []
    ops: set[str] = set()
    run_start = blocks[0][1]
    want_at, have_at = 0, blocks[0][1]
    for at_want, at_have, size in [*blocks, (len(want), sum(blocks[-1][1:]), 0)]:
        more, other = at_want - want_at, at_have - have_at
        is_new = more >= 3 and other <= more // 2
        if is_new or (other >= 3 and more <= other // 3):
            if have_at > run_start:
                pieces.append(_piece(question, have, run_start, have_at))
            if is_new:
                pieces.append(_piece(wanted, want, want_at, at_want))
            ops.add(("replace" if other else "insert") if is_new else "remove")
            run_start = at_have
        want_at, have_at = at_want + size, at_have + size
    if have_at > run_start:
        pieces.append(_piece(question, have, run_start, have_at))
    query = " ".join(pieces)
    if not ops and query != question:
        ops.add("remove")
    elif blocks[0][1] > 0 or have_at < len(have):
        ops.add("remove")
    return Edit(query, sorted(ops) or ["none"])
