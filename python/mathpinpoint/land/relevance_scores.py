"""Lands the relevance model's probabilities and raw score of each pair."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.clients import profiles
from mathpinpoint.clients.relevance import RelevanceModel, load_relevance, raw_scores
from mathpinpoint.land.columns import landed_batch


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    profile: str,
    model_path: str,
    model_id: str,
    min_probe_correlation: float,
) -> Iterator[pa.RecordBatch]:
    """Reads `pending_relevance_scores`. Lands three probabilities and the raw score of each pair.

    `model_path` is the trained model's folder; before it scores anything it must reproduce the
    scores stored there (`probe`). `profile` is a name or a path.
    """
    spec = profiles.load(profile).relevance
    model = load_relevance(Path(model_path), spec)
    probe(model, Path(model_path), min_probe_correlation=min_probe_correlation)
    for batch in batches:
        found = model.score(_pairs(batch))
        yield landed_batch(
            "relevance_scores",
            query_id=batch["query_id"],
            doc_id=batch["doc_id"],
            model=[model_id] * len(batch),
            raw_score=raw_scores(found),
            probability_0=found[:, 0],
            probability_1=found[:, 1],
            probability_2=found[:, 2],
        )


def probe(model: RelevanceModel, folder: Path, *, min_probe_correlation: float) -> float:
    """The Pearson correlation of the scores of the stored held-out pairs, then and now.

    Raises ValueError if it is below `min_probe_correlation`: weights, tokenizer or versions are
    not those that made the stored scores.
    """
    stored = pq.read_table(folder / "probe.parquet")
    now = raw_scores(model.score(_pairs(stored)))
    then = stored["raw_score"].to_numpy()
    spread = min(now.std(), then.std())
    found = float(np.corrcoef(now, then)[0, 1]) if spread else float(np.array_equal(now, then))
    if found < min_probe_correlation:
        raise ValueError(
            f"{folder}: the model reproduces its {len(now)} stored scores with a correlation of "
            f"{found:.6f}, below {min_probe_correlation}. Run `mathpinpoint train relevance-model`."
        )
    return found


def _pairs(batch: pa.RecordBatch | pa.Table) -> list[tuple[str, str]]:
    return list(zip(batch["query_text"].to_pylist(), batch["doc_text"].to_pylist(), strict=True))
