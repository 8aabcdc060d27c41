"""An evaluation set: problems of families that no web uses, and a few that leak queries of the web."""

import re
from random import Random

from mathpinpoint.sample.families.base import say

_TEMPLATES = (
    "A cube with edge <a> is painted and cut into unit cubes. How many of the small cubes have exactly two painted faces?",
    "Find the number of trailing zeros of $<a*10>!$ in base ten.",
    "The product of two consecutive even integers is $<4*b*(b+1)>$. What is their mean?",
    "A regular polygon has interior angles of $<180-c>^\\circ$ each. How many sides does it have?",
    "A ladder of length <a> m leans against a wall so that its foot is <b> m away. By how much does the top sink if the foot slides another metre?",
    "How many zeros does the decimal expansion of $1 / (2^{<a>} \\cdot 5^{<b>})$ have right after the decimal point?",
    "In a round robin tournament with $<a>$ players everybody meets everybody once. How many games are played before the final day, on which $<b>$ games take place?",
    "The digits of a two digit number add up to $<b>$, and reversing them lowers the number by $9$. Find the number, if it exists.",
    "A clock loses $<b>$ minutes a day. After how many days will it show the correct time again?",
    "Let $f(x) = |x - <a>| + |x - <a+b>|$. For how many integers $x$ does $f$ take its least value?",
)
_REWORDS = (("Find ", "Determine "), ("Compute ", "Calculate "), ("What is ", "Tell "), ("How many ", "Count how many "))


def fresh(count: int, rng: Random) -> list[str]:
    """Problems of other families, all different."""
    texts: list[str] = []
    while len(texts) < count:
        values = {"a": rng.randint(5, 60), "b": rng.randint(2, 16), "c": rng.choice((6, 8, 9, 10, 12, 15, 18, 20, 24))}
        text = say(_TEMPLATES[len(texts) % len(_TEMPLATES)], values, rng)
        if text not in texts:
            texts.append(text)
    return texts


def leak(query: str, how: str, rng: Random) -> str | None:
    """A query equal up to case and space, up to the style of its LaTeX, or reworded; None if it cannot be."""
    if how == "case":
        return rng.choice((query.upper() if "\\" not in query else query, query)).replace(" ", "  ") + " "
    if how == "latex":
        text = re.sub(r"\^(\d)(?!\d)", r"^{\1}", query).replace("\\frac", "\\dfrac").replace("\\le ", "\\leq ")
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
