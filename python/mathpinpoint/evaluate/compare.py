"""Before against after, over the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mathpinpoint.compute.bootstrap import Interval, paired_bootstrap


@dataclass(frozen=True)
class Comparison:
    """Means before and after, the interval of their difference, and the mean of each seed."""

    before: float
    after: float
    seed_means: tuple[float, ...]
    difference: Interval


def compare(
    before: Mapping[str, float],
    after: Sequence[Mapping[str, float]],
    *,
    resamples: int,
    confidence: float,
    seed: int,
) -> Comparison:
    """Compare a metric per query_id before training with that of one model per training seed.

    A query's values are averaged over the seeds first, so that the interval holds the variation
    over queries only. Raises ValueError if the queries are not the same everywhere.
    """
    queries = sorted(before)
    for number, values in enumerate(after, 1):
        if values.keys() != before.keys():
            raise ValueError(f"model {number} of {len(after)}: not evaluated on the same queries")
    first = np.array([before[query] for query in queries])
    later = np.array([[values[query] for query in queries] for values in after])
    difference = paired_bootstrap(
        first, later.mean(axis=0), resamples=resamples, confidence=confidence, seed=seed
    )
    return Comparison(
        before=float(first.mean()),
        after=float(later.mean()),
        seed_means=tuple(float(mean) for mean in later.mean(axis=1)),
        difference=difference,
    )
