"""Exact search, metrics per query and the paired bootstrap, against other implementations."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest

from mathpinpoint.clients.tiny import write_tiny_reference
from mathpinpoint.compute import dense, metrics
from mathpinpoint.compute.bootstrap import paired_bootstrap
from mathpinpoint.evaluate.compare import compare
from mathpinpoint.evaluate.search import cut, hits
from mathpinpoint.land import evaluation_runs


def _vectors(count: int, size: int, seed: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_search_equals_brute_force_in_blocks_of_any_size(block):
    queries, documents = _vectors(9, 16, 1), _vectors(300, 16, 2)
    documents[100:140] = documents[0]  # many ties
    doc_ids = np.array([f"d{n}" for n in np.random.default_rng(3).permutation(300)])
    found, scores = dense.top_k(queries, documents, doc_ids, k=50, block=block)
    exact = queries.astype(np.float64) @ documents.T.astype(np.float64)
    exact = np.rint(exact * dense.SCALE).astype(np.int64)
    for query in range(9):
        order = sorted(range(300), key=lambda n, query=query: (-exact[query, n], doc_ids[n]))[:50]
        assert found[query].tolist() == order
        assert scores[query].tolist() == exact[query, order].tolist()


def test_a_list_is_as_long_as_the_corpus_at_most():
    found, scores = dense.top_k(
        _vectors(2, 4, 1), _vectors(3, 4, 2), np.array(["c", "a", "b"]), k=10, block=2
    )
    assert found.shape == scores.shape == (2, 3)
    nothing, _ = dense.top_k(_vectors(2, 4, 1), _vectors(0, 4, 2), np.array([]), k=10, block=2)
    assert nothing.shape == (2, 0)


def test_each_size_is_cut_and_normalized_anew():
    queries, documents = _vectors(4, 16, 1), _vectors(20, 16, 2)
    doc_ids = np.array([f"d{n:02d}" for n in range(20)])
    by_size = {
        size: (found, scores)
        for size, found, scores in hits(
            queries, documents, doc_ids, sizes=[16, 8], depth=5, block=6
        )
    }
    assert np.allclose(np.linalg.norm(cut(documents, 8), axis=1), 1)
    assert not np.array_equal(by_size[16][0], by_size[8][0])
    best = (cut(queries, 8) @ cut(documents, 8).T).max(axis=1)
    assert np.allclose(by_size[8][1][:, 0], best, atol=1e-6)


def test_metrics_equal_ir_measures():
    import ir_measures

    draw = random.Random(0)
    docs = [f"d{n}" for n in range(200)]
    qrels, run, ours = {}, {}, {}
    for number in range(50):
        query = f"q{number}"
        ranking = draw.sample(docs, draw.choice([3, 40, 100]))
        gains = {doc: draw.choice([0, 0, 1]) for doc in draw.sample(docs, 60)}
        gains[draw.choice(docs)] = 1
        qrels[query] = gains
        run[query] = {doc: float(len(ranking) - rank) for rank, doc in enumerate(ranking)}
        ours[query] = {
            "nDCG@10": metrics.ndcg(ranking, gains, 10),
            "R@100": metrics.recall(ranking, gains, 100),
        }
    measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "R@100")]
    for found in ir_measures.iter_calc(measures, qrels, run):
        assert abs(found.value - ours[found.query_id][str(found.measure)]) < 1e-12


def test_a_query_without_relevant_documents_gives_nothing():
    assert metrics.ndcg(["d1"], {"d1": 0}, 10) == 0
    assert metrics.recall(["d1"], {}, 100) == 0


def test_the_bootstrap_agrees_with_scipy_and_follows_from_its_seed():
    from scipy.stats import bootstrap

    random_values = np.random.default_rng(5)
    before = random_values.beta(2, 3, size=400)
    after = before + random_values.normal(0.02, 0.1, size=400)
    found = paired_bootstrap(before, after, resamples=10_000, confidence=0.95, seed=1)
    peer = bootstrap(
        (after - before,), np.mean, n_resamples=10_000, method="percentile", rng=2
    ).confidence_interval
    assert found.mean == pytest.approx((after - before).mean())
    assert abs(found.low - peer.low) < 1e-3 and abs(found.high - peer.high) < 1e-3
    assert found == paired_bootstrap(before, after, resamples=10_000, confidence=0.95, seed=1)
    with pytest.raises(ValueError, match="same queries"):
        paired_bootstrap(before, after[:-1], resamples=10, confidence=0.95, seed=1)


def test_seeds_are_averaged_per_query_before_the_bootstrap():
    before = {"q1": 0.0, "q2": 0.5}
    found = compare(
        before, [{"q2": 0.7, "q1": 0.2}, {"q1": 0.4, "q2": 0.9}],
        resamples=100, confidence=0.95, seed=0,
    )
    assert found.before == 0.25 and found.after == pytest.approx(0.55)
    assert found.seed_means == pytest.approx((0.45, 0.65))
    assert found.difference.mean == pytest.approx(0.3)
    with pytest.raises(ValueError, match="same queries"):
        compare(before, [{"q1": 1.0}], resamples=10, confidence=0.95, seed=0)


def test_evaluation_lands_each_size_of_the_retriever(tmp_path):
    profile = write_tiny_reference(tmp_path)
    queries = pa.record_batch({"query_id": ["q1", "q2"], "query_text": ["x + 1", "2 y"]})
    texts = ["x = 1", "y is two", "z", "no", "the sum"]
    documents = pa.table({"doc_id": ["d5", "d1", "d2", "d3", "d4"], "doc_text": texts})
    landed = pa.Table.from_batches(
        evaluation_runs.rows(
            iter([queries]), documents=documents, profile=str(profile), model="tiny",
            model_path="", fingerprint="f", depth=3, block=2, batch_size=4,
        )
    )
    assert landed.num_rows == 2 * 2 * 3
    assert set(landed["dimensions"].to_pylist()) == {64, 32}
    first = landed.filter(pa.compute.equal(landed["query_id"], "q1")).to_pylist()[:3]
    assert [row["rank"] for row in first] == [1, 2, 3]
    assert first[0]["score"] >= first[1]["score"] >= first[2]["score"]
