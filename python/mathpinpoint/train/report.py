"""What a held-out set says of a relevance model."""

import math

import numpy as np
import pyarrow as pa


def held_out_report(scored: pa.Table, *, cuts: tuple[float, float]) -> dict[str, float | None]:
    """Error and agreement on held-out rows with query_id, label and raw_score.

    `cuts` are the raw scores from which a label is 1, and 2. `majority_share` is the accuracy of
    always giving the commonest label. `within_query_r2` is the squared correlation of label and
    score after each query's mean is taken off both, below 0 where they go against each other.
    What has no spread is null.
    """
    label = scored["label"].to_numpy().astype(np.float64)
    raw = scored["raw_score"].to_numpy()
    found = np.digitize(raw, cuts)
    queries = np.unique(np.array(scored["query_id"].to_pylist()), return_inverse=True)[1]
    within = _correlation(_off_mean(label, queries), _off_mean(raw, queries))
    return {
        "n_held_out": len(scored),
        "mse": float(np.mean((label - raw) ** 2)),
        "mse_of_mean": float(np.var(label)),
        "accuracy": float(np.mean(found == label)),
        "majority_share": float(np.bincount(label.astype(int)).max() / len(label)),
        "pearson": _correlation(label, raw),
        "within_query_r2": None if within is None else within * abs(within),
    }


def _off_mean(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    return values - (np.bincount(groups, values) / np.bincount(groups))[groups]


def _correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 1e-12 else None
