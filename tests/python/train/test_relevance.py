"""Training the relevance model: same bits, an honest report, a probe that refuses a stranger."""

import json
import random
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mathpinpoint.clients import profiles
from mathpinpoint.clients.relevance import load_relevance, raw_scores
from mathpinpoint.land import relevance_scores
from mathpinpoint.schemas import LANDED
from mathpinpoint.train.relevance import split, train_relevance_model
from mathpinpoint.train.report import held_out_report

CUTS = (0.5, 1.5)
SMALL = replace(profiles.load("sample").relevance, steps=40, max_tokens=64)


def _pairs(queries: int) -> pa.Table:
    """Problems with two numbers; a document is right about them, says half, or is another's."""
    draw = random.Random(1)
    rows = []
    for number in range(queries):
        a, b = draw.randint(2, 99), draw.randint(2, 99)
        texts = [
            (2, f"adding {a} and {b} gives {a + b}"),
            (1, f"we start with {a} and then go on"),
            (0, f"adding {draw.randint(100, 199)} and {draw.randint(100, 199)} gives more"),
            (0, "a triangle has three sides and a circle has none"),
        ]
        for place, (label, text) in enumerate(texts):
            rows.append(
                {
                    "query_id": f"q{number:03d}",
                    "doc_id": f"d{number:03d}_{place}",
                    "query_text": f"what is {a} plus {b} ?",
                    "doc_text": text,
                    "label": label,
                    "split": "held_out" if number % 4 == 0 else "train",
                }
            )
    draw.shuffle(rows)
    return pa.Table.from_pylist(rows)


def _ignore(step: int, steps: int, loss: float) -> None:
    pass


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return train_relevance_model(_pairs(60), SMALL, folder, _ignore, cuts=CUTS, probe_pairs=20)


def test_training_beats_the_mean_on_held_out_queries(trained):
    model, pairs = trained
    metrics = json.loads(model.metrics)
    print(metrics)
    assert metrics["mse"] < 0.8 * metrics["mse_of_mean"]
    assert metrics["last_loss"] < metrics["first_loss"]
    assert pairs.schema.names == LANDED["trained_pairs"].schema.names[:-1]
    raw = pairs.filter(pa.array(np.array(pairs["split"].to_pylist()) == "held_out"))["raw_score"]
    assert raw.null_count == 0 and pairs["raw_score"].null_count == metrics["n_train"]


def test_a_rerun_gives_the_same_bits_whatever_the_order_of_the_rows(trained, tmp_path):
    again, pairs = train_relevance_model(
        _pairs(60).sort_by("label"), SMALL, tmp_path, _ignore, cuts=CUTS, probe_pairs=20
    )
    assert again.model_id == trained[0].model_id == trained[0].path.name
    assert (again.metrics, again.rows_sha256) == (trained[0].metrics, trained[0].rows_sha256)
    assert pairs.equals(trained[1])


def test_the_loader_reproduces_the_stored_scores_and_lands_probabilities(trained):
    model, pairs = trained
    work = pa.record_batch(
        {
            "query_id": ["q1", "q1"],
            "doc_id": ["d1", "d2"],
            "query_text": ["what is 3 plus 4 ?"] * 2,
            "doc_text": ["adding 3 and 4 gives 7", "a circle has no sides"],
        }
    )
    options = {
        "profile": "sample",
        "model_path": str(model.path),
        "model_id": model.model_id,
        "min_probe_correlation": 0.999,
    }
    (landed,) = relevance_scores.rows(iter([work]), **options)
    assert landed.schema.names == LANDED["relevance_scores"].schema.names[:-1]
    row = landed.to_pylist()[0]
    assert row["raw_score"] == pytest.approx(row["probability_1"] + 2 * row["probability_2"])
    assert row["raw_score"] > landed["raw_score"][1].as_py()

    stored = pq.read_table(model.path / "probe.parquet")
    texts = list(zip(stored["query_text"].to_pylist(), stored["doc_text"].to_pylist(), strict=True))
    now = raw_scores(load_relevance(model.path, SMALL).score(texts))
    assert np.abs(now - stored["raw_score"].to_numpy()).max() < 1e-6


def test_a_model_that_does_not_reproduce_its_scores_is_refused(trained, tmp_path):
    other, _ = train_relevance_model(
        _pairs(20), replace(SMALL, steps=2), tmp_path, _ignore, cuts=CUTS, probe_pairs=20
    )
    stranger = load_relevance(other.path, SMALL)
    with pytest.raises(ValueError, match="mathpinpoint train relevance-model"):
        relevance_scores.probe(stranger, trained[0].path, min_probe_correlation=0.999)


def test_splits_must_both_be_there_and_be_apart_by_query():
    pairs = _pairs(8)
    with pytest.raises(ValueError, match="0 held_out"):
        split(pairs.filter(pa.array(np.array(pairs["split"].to_pylist()) == "train")))
    names = pa.array(["train", "held_out"] * (len(pairs) // 2))
    with pytest.raises(ValueError, match="both splits"):
        split(pairs.set_column(pairs.schema.get_field_index("split"), "split", names))


@pytest.mark.skipif(find_spec("peft") is not None, reason="peft is installed")
def test_low_rank_adapters_need_peft(tmp_path):
    with pytest.raises(ValueError, match="pip install peft"):
        train_relevance_model(
            _pairs(8), replace(SMALL, lora_rank=8), tmp_path, _ignore, cuts=CUTS, probe_pairs=4
        )


def test_the_report_of_scores_known_by_heart():
    scored = pa.table(
        {
            "query_id": ["a", "a", "b", "b"],
            "label": [2, 0, 1, 0],
            "raw_score": [1.5, 0.2, 0.4, 0.1],
        }
    )
    found = held_out_report(scored, cuts=CUTS)
    assert found["accuracy"] == 0.75 and found["majority_share"] == 0.5
    assert found["mse"] == pytest.approx((0.25 + 0.04 + 0.36 + 0.01) / 4)
    assert found["mse_of_mean"] == pytest.approx(0.6875)
    assert 0.9 < found["within_query_r2"] < 1
    flat = held_out_report(scored.set_column(2, "raw_score", pa.array([1.0] * 4)), cuts=CUTS)
    assert flat["pearson"] is None and flat["within_query_r2"] is None
