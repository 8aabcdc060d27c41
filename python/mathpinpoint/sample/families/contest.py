"""An evaluation set: problems of families that no web uses, and a few leaks of its queries."""

import re
from random import Random

from mathpinpoint.sample.families.base import say
from mathpinpoint.sample.families.voices import bank

_REWORDS = (
    ("Find ", "Determine "),
    ("Compute ", "Calculate "),
    ("What is ", "Tell "),
    ("How many ", "Count how many "),
)


def fresh(count: int, rng: Random) -> list[str]:
    """Problems of other families, all different."""
    texts: list[str] = []
    templates = bank("contest")
    while len(texts) < count:
        values = {
            "a": rng.randint(5, 60),
            "b": rng.randint(2, 16),
            "c": rng.choice((6, 8, 9, 10, 12, 15, 18, 20, 24)),
        }
        text = say(templates[len(texts) % len(templates)], values, rng)
        if text not in texts:
            texts.append(text)
    return texts


def leak(query: str, how: str, rng: Random) -> str | None:
    """A query equal up to case and space, up to the style of its LaTeX, or reworded; None if it
    cannot be.
    """
    if how == "case":
        return (
            rng.choice((query.upper() if "\\" not in query else query, query)).replace(" ", "  ")
            + " "
        )
    if how == "latex":
        text = (
            re.sub(r"\^(\d)(?!\d)", r"^{\1}", query)
            .replace("\\frac", "\\dfrac")
            .replace("\\le ", "\\leq ")
        )
        text = re.sub(r"\$([^$]*)\$", r"\\(\1\\)", text)
        return text if text != query else None
    return _reworded(query)


def _reworded(query: str) -> str | None:
    text = query
    for old, new in _REWORDS:
        text = text.replace(old, new, 1)
    if text == query:
        text = f"{query} Give a reason."
    one, two = shingles(query), shingles(text)
    return text if len(one & two) >= 0.6 * len(one | two) else None


def shingles(text: str) -> set[tuple[str, ...]]:
    """The word 5-grams of a text, lower case."""
    words = text.lower().split()
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
