"""The paired bootstrap over queries."""

from dataclasses import dataclass

import numpy as np

CHUNK = 500  # resamples drawn at once: bounds memory, changes no draw


@dataclass(frozen=True)
class Interval:
    """The mean of paired differences and its percentile interval."""

    mean: float
    low: float
    high: float
    n_queries: int


def paired_bootstrap(
    before: np.ndarray, after: np.ndarray, *, resamples: int, confidence: float, seed: int
) -> Interval:
    """The mean of `after - before` per query, with the interval of `resamples` draws of queries.

    Both are (n,), in the same order of queries. Raises ValueError if there is no query, or if
    their lengths differ. The interval holds the variation over queries only.
    """
    if len(before) != len(after) or not len(before):
        raise ValueError(f"a paired bootstrap needs the same queries: {len(before)}, {len(after)}")
    difference = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    random = np.random.default_rng(seed)
    means = [
        difference[random.integers(len(difference), size=(count, len(difference)))].mean(axis=1)
        for count in _chunks(resamples)
    ]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return Interval(float(difference.mean()), float(low), float(high), len(difference))


def _chunks(resamples: int) -> list[int]:
    whole, rest = divmod(resamples, CHUNK)
    return [CHUNK] * whole + [rest] * bool(rest)
