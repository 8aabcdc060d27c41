"""Generated documents with planted near-duplicates: the same for the same number, on every machine.

A document is sentences of made-up words and formulas, all tokens parted by spaces, about 190 of them. Of 100
documents, 3 are copies with another word and a passage more, so long that their Jaccard with the original is spread
evenly from 0.80 to 1; 1 is a copy between boilerplate; 1 is a twin: a copy in which one number is another. Each 25,000
documents hold one group of 150 copies of one text, with a word or two changed.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mathpinpoint.compute.normalize import match_tokens
from mathpinpoint.compute.shingles import shingles

SEED, N_WORDS, SENTENCES, LENGTH = 20, 5000, 11, 10
GROUP, GROUP_EVERY = 150, 25_000
PER_HUNDRED = ("edited", "edited", "edited", "wrapped", "twin")
SHINGLE_TOKENS, LEAST, STEPS = 5, 0.80, (0.80, 0.85, 0.90, 1.01)
WRAPPING = (
    "posted by a member of the board . please log in to write a comment or to follow this thread .",
    "see also other threads of this board about the same subject . report a mistake to the editors .",
)


@dataclass(frozen=True)
class Planted:
    """A planted pair of documents, by their numbers, and the exact Jaccard of their shingles."""

    original: int
    copy: int
    kind: str  # edited, wrapped, twin, group
    jaccard: float


def words() -> list[str]:
    """Made-up words of three syllables: none bears mathematics."""
    rng = random.Random(SEED)
    syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
    found: dict[str, None] = {}
    while len(found) < N_WORDS:
        found["".join(rng.choices(syllables, k=3))] = None
    return list(found)


def documents(n: int) -> tuple[list[str], list[Planted]]:
    """`n` texts, originals first and then their copies, and the pairs planted among them."""
    kinds = ["group"] * (GROUP * (n // GROUP_EVERY)) + list(PER_HUNDRED) * (n // 100)
    vocabulary = words()
    texts = [" ".join(tokens) for tokens in _originals(n - len(kinds), vocabulary)]
    n_originals, planted, rng = len(texts), [], random.Random(SEED)
    chosen = rng.sample(range(n_originals), len(kinds))
    for number, kind in enumerate(kinds):
        original = chosen[number - number % GROUP if kind == "group" else number]
        texts.append(_copy(texts[original], kind, vocabulary, rng))
        planted.append(Planted(original, n_originals + number, kind, _jaccard(texts[original], texts[-1])))
    return texts, planted


def _originals(n: int, vocabulary: list[str]) -> Iterator[list[str]]:
    """Tokens of each text: words drawn with a skew, a formula with two numbers in each sentence."""
    rng = np.random.default_rng(SEED)
    for _ in range(n):
        drawn = (rng.random((SENTENCES, LENGTH)) ** 2 * len(vocabulary)).astype(int).tolist()
        numbers = rng.integers(2, 900, (SENTENCES, 2)).tolist()
        tokens: list[str] = []
        for sentence, (one, two) in zip(drawn, numbers, strict=True):
            tokens += [vocabulary[word] for word in sentence]
            tokens += ["$", "x", "+", str(one), "=", str(two), "$", "."]
        yield tokens


def _copy(text: str, kind: str, vocabulary: list[str], rng: random.Random) -> str:
    tokens = text.split(" ")
    if kind == "wrapped":
        return f"{WRAPPING[0]} {text} {WRAPPING[1]}"
    if kind == "twin":
        at = rng.choice([at for at, token in enumerate(tokens) if token.isdigit()])
        tokens[at] = str(int(tokens[at]) + 1)
        return " ".join(tokens)
    places = [at for at, token in enumerate(tokens) if len(token) == 6]
    for at in rng.sample(places, rng.randint(1, 2) if kind == "group" else 1):
        tokens[at] = rng.choice(vocabulary)
    if kind == "edited":
        n_shingles, at = len(tokens) - 4 - 2 * SENTENCES, rng.choice(places)
        left = n_shingles - 9  # of the original's: an edit breaks 5, a passage 4
        longer = max(0, round(left / rng.uniform(LEAST, 1) - n_shingles - 9))
        tokens[at:at] = rng.choices(vocabulary, k=longer)
    return " ".join(tokens)


def _jaccard(one: str, other: str) -> float:
    a, b = (shingles(match_tokens(text), size=SHINGLE_TOKENS) for text in (one, other))
    n_shared = np.isin(a, b, assume_unique=True).sum()
    return float(n_shared / (len(a) + len(b) - n_shared))


class Sets:
    """Disjoint sets of numbers, each named by its least member."""

    def __init__(self) -> None:
        self.parent: dict[int, int] = {}

    def of(self, number: int) -> int:
        while (above := self.parent.get(number, number)) != number:
            number = above
        return number

    def join(self, one: int, other: int) -> None:
        one, other = sorted((self.of(one), self.of(other)))
        self.parent[other] = one


def told_apart(planted: list[Planted], group_of: Callable[[int], int]) -> dict[str, float | int]:
    """What a clustering makes of the planted pairs; `group_of(number)` names a document's cluster.

    `recall` is over pairs of a Jaccard of 0.80 or more that are no twins, the others over those from 0.80, 0.85, 0.90
    on; `twins_merged` is the share of the twins that are put together.
    """
    def share(pairs: list[Planted]) -> float:
        return sum(group_of(pair.original) == group_of(pair.copy) for pair in pairs) / max(1, len(pairs))

    near = [pair for pair in planted if pair.kind != "twin" and pair.jaccard >= LEAST]
    found = {"recall": share(near), "twins_merged": share([pair for pair in planted if pair.kind == "twin"])}
    for low, high in pairwise(STEPS):
        found[f"recall_{low:.2f}"] = share([pair for pair in near if low <= pair.jaccard < high])
    return found
