"""A few steps of retriever training on real texts."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from mathpinpoint.clients import profiles
from mathpinpoint.clients.retriever import matryoshka_sizes
from mathpinpoint.train.batches import Row
from mathpinpoint.train.retriever import packed_sampler, train_retriever
from mathpinpoint.train.saved import weights_sha256

DATA = Path(
    os.environ.get("MATHPINPOINT_SHARED", Path(__file__).parents[4] / "shared" / "data")
)


@pytest.fixture(scope="module")
def rows() -> pa.Table:
    file = DATA / "problems" / "math_test.jsonl"
    if not file.is_file():
        pytest.skip("no shared data")
    lines = file.read_text(encoding="utf-8").splitlines()[:40]
    problems = [json.loads(line) for line in lines]
    texts = [problem["solution"][:400] for problem in problems]
    table = {
        "query_id": [f"q{n:02d}" for n in range(40)],
        "anchor": [problem["problem"] for problem in problems],
        "positive": texts,
        "positive_id": [f"d{n}" for n in range(40)],
    }
    for number, shift in enumerate((3, 7, 11), 1):
        table[f"negative_{number}"] = texts[shift:] + texts[:shift]
        table[f"negative_{number}_id"] = [f"d{(n + shift) % 40}" for n in range(40)]
    return pa.table(table)


@pytest.fixture(scope="module")
def profile() -> profiles.RetrieverProfile:
    return replace(
        profiles.load("sample").retriever,
        layers=1, max_tokens=32, steps=8, batch_size=8, mini_batch_size=8, learning_rate=2e-4,
    )


def test_training_lowers_the_loss_and_the_model_loads_plainly(rows, profile, tmp_path):
    steps = []
    known = [("q00", "d5")]
    trained = train_retriever(
        rows, known, profile, tmp_path, lambda *step: steps.append(step), seed=42
    )
    assert [step for step, _, _ in steps] == list(range(1, 9))
    assert np.mean([loss for *_, loss in steps[-3:]]) < np.mean([loss for *_, loss in steps[:3]])
    manifest = json.loads((trained.path / "manifest.json").read_text())
    assert manifest["parameters"]["sizes"] == [384, 256, 128]
    assert manifest["parameters"]["world_size"] == 1
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(trained.path), device="cpu")
    vectors = model.encode(rows["anchor"].to_pylist()[:4])
    assert vectors.shape == (4, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    again = train_retriever(rows, known, profile, tmp_path / "b", lambda *step: None, seed=42)
    assert again.model_id == trained.model_id
    assert weights_sha256(again.path) == weights_sha256(trained.path)


def test_sizes_are_those_below_the_native_one_and_that_one():
    assert matryoshka_sizes((768, 512, 256, 128), 1024) == [1024, 768, 512, 256, 128]
    assert matryoshka_sizes((768, 512, 256, 128), 384) == [384, 256, 128]


def test_no_rows_is_an_error_that_names_the_table(rows, profile, tmp_path):
    with pytest.raises(ValueError, match="training.rows is empty"):
        train_retriever(rows.slice(0, 0), [], profile, tmp_path, lambda *step: None, seed=1)


def test_devices_take_slices_of_packed_batches_and_each_pass_is_packed_anew(profile):
    rows = [Row(f"q{n}", (f"d{n % 20}", f"n{n}")) for n in range(40)]
    sampler = packed_sampler(rows, [], profile)(None, batch_size=4, seed=1)  # of 8: two devices
    first = list(sampler)
    assert len(first) == len(sampler) and all(len(batch) == 4 for batch in first)
    for left, right in zip(first[::2], first[1::2], strict=True):
        assert len({number % 20 for number in left + right}) == 8
    sampler.set_epoch(1)
    assert list(sampler) != first
