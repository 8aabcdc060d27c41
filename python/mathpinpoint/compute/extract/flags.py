"""Measures of a text that decide nothing: how far it repeats itself, how many problems it has."""

import re

_MIN_WORDS = 20
_SHINGLE = 5
_START = re.compile(
    r"(?m)^[ \t]*(?:[-*•][ \t]+)?"
    r"(?:(?P<named>(?:problem|exercise|question|ex|prob|q)\b\.?[ \t]*#?[ \t]*"
    r"(?:\d{1,3}|[ivx]{1,5})\b)[ \t]*[.:)–—-]?|(?P<number>\(?\d{1,3}[.)]))[ \t]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|(?i:\b(?:find|prove|solve|compute|show|evaluate|determine|calculate|simplify|factor"
    r"|sketch|verify|derive|differentiate|integrate|express|give|construct|how many|how much"
    r"|what is|let)\b)"
)
_ITEM_CHARS = 1200


def repetition_share(text: str) -> float:
    """Share of the word 5-grams that repeat an earlier one; 0 for fewer than 20 words."""
    words = text.lower().split()
    if len(words) < _MIN_WORDS:
        return 0.0
    shingles = list(zip(*(words[at:] for at in range(_SHINGLE)), strict=False))
    return 1.0 - len(set(shingles)) / len(shingles)


def problem_count(text: str) -> int:
    """Number of separate problems: numbered items that ask, or headings such as 'Problem 3.'.

    A named heading counts once by its number, so that 'Solution to Problem 3' adds nothing.
    """
    starts = list(_START.finditer(text))
    named: set[str] = set()
    numbered = 0
    for at, start in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
        body = text[start.end() : min(end, start.end() + _ITEM_CHARS)]
        if start["named"]:
            if body.strip():
                named.add(" ".join(start["named"].lower().replace(".", "").split()))
        elif _asks(body):
            numbered += 1
    return max(len(named), numbered)


def _asks(body: str) -> bool:
    """Whether the first paragraph of an item is a question or a command."""
    return bool(_ASKS.search(body.strip().split("\n\n")[0]))
