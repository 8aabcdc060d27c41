"""Alignment of a question with a page, on match tokens."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import edlib
import regex
from rapidfuzz.distance import Indel, LCSseq

from mathpinpoint.compute.guard import bears_mathematics

Span = tuple[int, int]

LINES = regex.compile(r"\s*\n\s*")
SENTENCES = regex.compile(r"\s*\n\s*|(?<=[.?!])\s+")
ARTICLE = "a"  # a word that is dropped in copying more often than a letter is
_ALPHABET = 250  # edlib tells at most 256 symbols apart
_OTHER = chr(32)
_ENUMERATOR_TOKENS = 4  # 'Problem 12 . a'
_SILENT = frozenset([ARTICLE, r"\dots"])


@dataclass(frozen=True)
class Block:
    """A line, or a sentence of a line: characters and match tokens of the page."""

    start: int
    end: int
    first: int
    last: int  # exclusive, as `end`


@dataclass(frozen=True)
class Match:
    """The question found in the page: which page tokens equal which question tokens."""

    n_edits: int
    pairs: list[Span]  # (page token, question token), ascending


@dataclass(frozen=True)
class Coverage:
    """What of a block stands in the question, in order."""

    share: float  # of the block's tokens, within runs of at least two
    question: frozenset[int]  # the question's tokens that the runs cover
    added: tuple[str, ...]  # tokens of the block that the question lacks where the two are aligned
    missing: tuple[str, ...]  # tokens of the question that the block lacks there

    @property
    def differs(self) -> bool:
        """True if a number, an operator or a condition is another one."""
        return any(_bears(token) for token in self.added + self.missing)

    @property
    def adds_symbols(self) -> bool:
        """True if the block has a number, an operator or a letter more than it leaves out."""
        added, missing = (
            Counter(token for token in side if _bears(token) and (len(token) == 1 or not token.isalpha()))
            for side in (self.added, self.missing)
        )
        return bool(added - missing)


def _bears(token: str) -> bool:
    return token not in _SILENT and bears_mathematics(token)


def strictly_inside(position: int, spans: list[Span]) -> Span | None:
    """Returns the span, of ascending disjoint ones, that a cut at `position` would go through."""
    at = bisect_left(spans, (position,)) - 1
    return spans[at] if at >= 0 and spans[at][0] < position < spans[at][1] else None


def blocks_of(
    text: str, starts: list[int], formulas: list[Span], border: regex.Pattern, edges: Iterable[int] = ()
) -> list[Block]:
    """Cuts a text at LINES or SENTENCES and at `edges`, never within a formula; `starts` are token starts."""
    found, begin = [], 0
    cuts = [hit.span() for hit in border.finditer(text)] + [(edge, edge) for edge in edges]
    cuts = sorted(cut for cut in cuts if not strictly_inside(cut[0], formulas))
    for end, after in [*cuts, (len(text), len(text))]:
        if begin < end:
            found.append(Block(begin, end, bisect_left(starts, begin), bisect_left(starts, end)))
        begin = max(begin, after)
    return found


def blocks_touched(blocks: list[Block], start: int, end: int) -> list[Block]:
    """Returns the blocks that hold any of the characters from `start` to `end`."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, key=lambda block: block.start)
    return blocks[first:last]


def infix_match(
    question: list[str], tokens: list[str], masked: list[bool], max_edits: int
) -> Match | None:
    """Finds the first best infix of the page's tokens, masked ones excepted; None if too far."""
    numbers: dict[str, str] = {}
    for token in question:
        numbers.setdefault(token, chr(33 + len(numbers) % _ALPHABET))
    target = "".join(
        _OTHER if hidden else numbers.get(token, _OTHER)
        for token, hidden in zip(tokens, masked, strict=True)
    )
    asked = "".join(numbers[token] for token in question)
    if not target:
        return None
    found = edlib.align(asked, target, mode="HW", task="path", k=max_edits)
    if found["editDistance"] < 0:
        return None
    return Match(found["editDistance"], _pairs(found["cigar"], found["locations"][0][0]))


def _pairs(cigar: str, at: int) -> list[Span]:
    """The equal pairs of an edlib path that begins at target position `at`."""
    pairs, asked = [], 0
    for count, kind in regex.findall(r"(\d+)([=XID])", cigar):
        n = int(count)
        if kind == "=":
            pairs += [(at + step, asked + step) for step in range(n)]
        at += 0 if kind == "I" else n
        asked += 0 if kind == "D" else n
    return pairs


def common_share(question: list[str], block: list[str]) -> float:
    """The longest common subsequence's share of the shorter of the two; 0 where one is empty."""
    shorter = min(len(question), len(block))
    return LCSseq.similarity(question, block) / shorter if shorter else 0.0


def _position(question: list[str], block: list[str]) -> int | None:
    """Where the block stands in the question without a gap; None if it does not."""
    asked = f" {' '.join(question)} "
    at = asked.find(f" {' '.join(block)} ")
    return None if at < 0 else asked[:at].count(" ")


def covered(question: list[str], block: list[str]) -> Coverage:
    """Aligns a block with the question by their longest common subsequence."""
    if (at := _position(question, block)) is not None:
        return Coverage(1.0, frozenset(range(at, at + len(block))), (), ())
    edits = list(Indel.opcodes(question, block))
    equal = [at for at, edit in enumerate(edits) if edit.tag == "equal"]
    runs = [edits[at] for at in equal if edits[at].src_end - edits[at].src_start >= 2]
    asked = frozenset(at for run in runs for at in range(run.src_start, run.src_end))
    share = len(asked) / len(block) if block else 0.0
    if not equal:
        return Coverage(share, asked, tuple(block), tuple(question))
    added, missing = [], []
    for at, edit in enumerate(edits):
        if edit.tag == "equal":
            continue
        is_head = at < equal[0] and edit.dest_end - edit.dest_start <= _ENUMERATOR_TOKENS
        if not is_head:
            added += block[edit.dest_start : edit.dest_end]
        if equal[0] < at < equal[-1]:
            missing += question[edit.src_start : edit.src_end]
    return Coverage(share, asked, tuple(added), tuple(missing))
