"""Retrieval metrics per query: the oracle of those computed in SQL."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranking: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    """nDCG of the first `k` of `ranking` (doc_ids, best first); a gain counts as it is.

    The discount is log2(rank + 1) and the ideal ranking is that of `gains` (Järvelin and
    Kekäläinen, 2002). A query without a relevant document gives 0.
    """
    found = [gains.get(doc_id, 0) for doc_id in ranking[:k]]
    ideal = sorted(gains.values(), reverse=True)[:k]
    return _dcg(found) / _dcg(ideal) if any(gain > 0 for gain in ideal) else 0.0


def recall(ranking: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    """The share of the relevant documents (gain above 0) among the first `k`; none gives 0."""
    relevant = {doc_id for doc_id, gain in gains.items() if gain > 0}
    return len(relevant & set(ranking[:k])) / len(relevant) if relevant else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
