"""The shape of the reference release, and lists of hits that overlap as its routes do.

A template is one query's three lists over numbered slots; a query takes one template and its own documents for the
slots. The noise between the routes is set so that the mean number of new fused candidates is the release's.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

N_QUERIES, N_DOCUMENTS = 2_032_033, 3_700_000
N_GAPS, N_FUSED, N_ROWS_V1, N_ROWS_V2 = 37_228, 9_949_472, 41_171_995, 51_158_695
DEPTH, DENSE_CUT, FUSED_CUT, RRF_K = 100, 20, 20, 60
WEIGHTS = {"dense": 2.0, "bm25": 1.0, "ngram5": 1.0}
LONG_SHARE = 0.1
N_SLOTS, N_TEMPLATES = 400, 256
# Judged in no candidate stage: what v1 holds beyond its dense top 20 without the gaps.
AWAY_SHARE = (N_ROWS_V1 + N_GAPS - N_QUERIES * DENSE_CUT) / N_QUERIES
SEED = 11


@dataclass(frozen=True)
class Templates:
    """Rows of all templates, one after another, by route and rank; `starts[t]` is where template t begins."""

    route: np.ndarray
    rank: np.ndarray
    slot: np.ndarray
    starts: np.ndarray  # one more than templates
    own_slot: np.ndarray  # of each template: where the query's own page is
    n_new: np.ndarray  # of each template: fused candidates that the dense list does not hold


def lists(noise: float, seed: int) -> list[dict[str, np.ndarray]]:
    """Slots by rank for each route of each template; slot s is the s-th of the dense list."""
    made = []
    for template in range(N_TEMPLATES):
        draw = np.random.default_rng([seed, template])
        quality = -np.log1p(np.arange(N_SLOTS))
        bm25 = np.argsort(-(quality + noise * draw.standard_normal(N_SLOTS)), kind="stable")[:DEPTH]
        ngram = np.argsort(-(quality + noise * draw.standard_normal(N_SLOTS)), kind="stable")
        made.append({
            "dense": np.arange(DEPTH),
            "bm25": bm25,
            "ngram5": ngram[np.isin(ngram, bm25) | (ngram < DEPTH)][: draw.integers(4, DEPTH + 1)],
        })
    return made


def new_of(ranked: dict[str, np.ndarray]) -> np.ndarray:
    """The slots within the fused cut and beyond the dense cut."""
    score, best = np.zeros(N_SLOTS), np.full(N_SLOTS, N_SLOTS)
    for route, slots in ranked.items():
        ranks = np.arange(1, len(slots) + 1)
        score[slots] += WEIGHTS[route] / (RRF_K + ranks)
        best[slots] = np.minimum(best[slots], ranks)
    fused = np.lexsort((np.arange(N_SLOTS), best, -score))[:FUSED_CUT]
    return fused[fused >= DENSE_CUT]


def templates(seed: int = SEED) -> Templates:
    """The templates whose mean number of new candidates is nearest to the release's."""
    low, high, wanted = 0.0, 8.0, N_FUSED / N_QUERIES
    for _ in range(12):
        noise = (low + high) / 2
        mean = np.mean([len(new_of(one)) for one in lists(noise, seed)])
        low, high = (noise, high) if mean < wanted else (low, noise)
    made = lists(noise, seed)
    draw = np.random.default_rng([seed, N_TEMPLATES])
    own = np.where(
        np.arange(N_TEMPLATES) < AWAY_SHARE * N_TEMPLATES, N_SLOTS, draw.integers(0, DENSE_CUT, N_TEMPLATES)
    )
    sizes = [sum(len(slots) for slots in one.values()) for one in made]
    return Templates(
        route=np.concatenate([np.repeat(np.arange(3), [len(slots) for slots in one.values()]) for one in made]),
        rank=np.concatenate([np.arange(1, len(slots) + 1) for one in made for slots in one.values()]),
        slot=np.concatenate([slots for one in made for slots in one.values()]),
        starts=np.concatenate([[0], np.cumsum(sizes)]),
        own_slot=own,
        n_new=np.array([len(new_of(one)) for one in made]),
    )


def sizes(share: float) -> tuple[int, int]:
    """Queries and documents at a share of the reference release."""
    return max(1, round(N_QUERIES * share)), max(2 * N_SLOTS, round(N_DOCUMENTS * share))


def prime_from(number: int) -> int:
    """The least prime that is not below a number: steps through a prime number of documents never meet early."""
    while any(number % factor == 0 for factor in range(2, int(number**0.5) + 1)):
        number += 1
    return number


def ranges(total: int, size: int) -> list[tuple[int, int]]:
    """0 .. total in pieces of `size`."""
    return list(pairwise([*range(0, total, size), total]))
