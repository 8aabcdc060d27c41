"""The conflict guard: do two nearly equal texts differ in their mathematics?

Two pages that differ in a number, a relation, an operator or a condition are different problems,
however alike their words. In doubt the guard says conflict: a missed duplicate costs space, a
false merge deletes the only page that solves a problem.

The numbers of labels ("Solution 2", "Problem 33.", "(a)") are no match tokens, so that they never
reach the guard. What one text alone says of its capture (dates, times, how many it helped) is
passed over here; the same words in a replacement, or any other number, count.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import OSA, Levenshtein

from mathpinpoint.compute.tokens import FUNCTIONS

GUARD_VERSION = "2"

_MARKS = frozenset(""". , ; : ? ! ' " … — • · “ ” ‘ ’ « » * # @ ` © ® ™""".split())
_CONDITIONS = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
    ninety hundred thousand million billion half halves third thirds fourth fifth sixth quarter
    double triple twice thrice single dozen pair first second last next previous
    not no never none neither nor without except unless only exactly least most more less fewer
    greater smaller larger bigger shorter longer higher lower older younger
    positive negative nonnegative nonpositive nonzero even odd prime composite integer integers
    rational irrational real complex distinct different same equal unequal identical
    increasing decreasing maximum minimum maximal minimal max min largest smallest greatest
    least lowest highest left right inside outside above below before after between
    all any every each both either always strictly true false
    finite infinite convergent divergent converges diverges converge diverge continuous
    discontinuous differentiable bounded unbounded inclusive exclusive open closed
    consecutive parallel perpendicular acute obtuse clockwise counterclockwise
    and or if add subtract sum difference product quotient
    area perimeter circumference volume radius diameter mean median mode""".split()
)
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR, _DAY = r"(?:19|20)\d\d", r"(?:[0-2]?\d|3[01])(?: (?:st|nd|rd|th))?"
_TIME = r"(?: ,)?(?: at)? \d{1,2} : \d\d(?: : \d\d)?(?: [ap]m)?"
_PEOPLE = "(?:people|persons?|users?|visitors?|members?|students?|readers?)"
_PERIOD = "(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) ago"
# Over tokens that spaces part: what a page says of its capture, its authors and its readers.
_CAPTURE = re.compile(
    rf"""(?<!\S)(?:(?:\\cdot|\|)\ )?(?:
        (?:{_DAY}\ {_MONTH}(?:\ [.,])*|{_MONTH}(?:\ \.)?\ {_DAY}\ ,)\ {_YEAR}(?:{_TIME})?
      | {_YEAR}\ -\ \d\d\ -\ \d\d(?:{_TIME})?
      | (?:helped|helpful\ (?:to|for)|liked\ by|viewed\ by|thanked\ by)\ \d+\ {_PEOPLE}
      | \d+\ {_PEOPLE}\ (?:found\ this|like\ this|liked\ this)
      | viewed\ \d+\ times | (?:asked|answered|edited|posted|modified|active)\ \d+\ {_PERIOD}
    )(?:\ (?:\\cdot|\|))?(?!\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_CONFLICT_CHARS = 200
_TYPO_LETTERS = 5  # a shorter word is not taken for a misspelt one


@dataclass(frozen=True)
class Verdict:
    """What the guard found; `conflict` is the first conflicting edit, 'a ⇒ b', else None."""

    is_conflict: bool
    conflict: str | None
    n_tokens_only_a: int
    n_tokens_only_b: int


def bears_mathematics(token: str) -> bool:
    """True of a number, an operator, a command, a letter, a function or a word of condition."""
    if len(token) == 1:
        return token not in _MARKS
    first = token[0]
    if first in "\\…" or not first.isalpha():
        return True
    return token in FUNCTIONS or token.lower() in _CONDITIONS


def _with_postfixes(tokens: list[str]) -> list[str]:
    """Marks the `!` and the prime that follow a number, a letter or a bracket as operators."""
    before = ["", *tokens]
    return [
        f"\\{token}" if token in "!'" and (len(last) == 1 and last not in _MARKS or last.isdigit())
        else token
        for last, token in zip(before, tokens, strict=False)
    ]


def _blocks(a: list[str], b: list[str]) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yields (a start, a end, b start, b end, tokens only in a, only in b) of each edit block.

    Edits with at most one equal token between them are one block.
    """
    block: list[int] = []
    for edit in Levenshtein.opcodes(a, b):
        if edit.tag == "equal":
            continue
        only_a, only_b = edit.src_end - edit.src_start, edit.dest_end - edit.dest_start
        if block and edit.src_start - block[1] <= 1:
            block[1], block[3] = edit.src_end, edit.dest_end
            block[4] += only_a
            block[5] += only_b
            continue
        if block:
            yield tuple(block)
        block = [edit.src_start, edit.src_end, edit.dest_start, edit.dest_end, only_a, only_b]
    if block:
        yield tuple(block)


def _differ(a: list[str], b: list[str]) -> bool:
    """True if the multisets of tokens that bear mathematics differ by more than misspelling."""
    bearing_a, bearing_b = (Counter(filter(bears_mathematics, side)) for side in (a, b))
    only_a, only_b = bearing_a - bearing_b, bearing_b - bearing_a
    return not (all(_is_misspelt(token, b) for token in only_a)
                and all(_is_misspelt(token, a) for token in only_b))


def _without_capture(tokens: list[str]) -> list[str]:
    """The tokens of a one-sided insertion without dates, times and counts of readers."""
    return _CAPTURE.sub(" ", " ".join(tokens)).split()


def _is_misspelt(token: str, others: list[str]) -> bool:
    """True of a word of condition that the other side has with one letter wrong or swapped."""
    if len(token) < _TYPO_LETTERS or not token.isalpha():
        return False
    return any(
        other[0] == token[0] and not bears_mathematics(other) and OSA.distance(token, other) == 1
        for other in others
    )


def _in_words(a: list[str], b: list[str]) -> str:
    def cut(tokens: list[str]) -> str:
        return " ".join(tokens)[:_CONFLICT_CHARS]

    return f"{cut(a)} ⇒ {cut(b)}"


def compare(tokens_a: list[str], tokens_b: list[str], *, max_insertion: int) -> Verdict:
    """Compares the match tokens of two texts.

    An edit block conflicts when the multisets of its tokens that bear mathematics differ, unless
    it is an insertion on one side of at least `max_insertion` tokens: a note, a comment, a
    further answer, a cut end.
    """
    a, b = _with_postfixes(tokens_a), _with_postfixes(tokens_b)
    conflict, total_a, total_b = None, 0, 0
    for start_a, end_a, start_b, end_b, only_a, only_b in _blocks(a, b):
        total_a, total_b = total_a + only_a, total_b + only_b
        is_insertion = min(only_a, only_b) == 0 and max(only_a, only_b) >= max_insertion
        if conflict or is_insertion:
            continue
        sides = a[start_a:end_a], b[start_b:end_b]
        if min(only_a, only_b) == 0 and not _differ(*map(_without_capture, sides)):
            continue
        if _differ(*sides):
            conflict = _in_words(*sides)
    return Verdict(conflict is not None, conflict, total_a, total_b)
