"""BM25 on a corpus that a person can hold in the head."""

import math

import numpy as np
import pytest

from mathpinpoint.compute import bm25, tiers
from mathpinpoint.compute.postings import fixed_point, inverse_document_frequency

DOCUMENTS = {
    "d_1": ["solve", "x", "^", "2", "=", "4"],
    "d_2": ["solve", "x", "x", "x"],
    "d_3": ["integral", "of", "sin", "x"],
    "d_4": [],
    "d_5": ["solve", "x", "x", "x"],
}
POLICY = {"k1": 1.2, "b": 0.75, "bits": 18}


def index_of(documents: dict[str, list[str]]) -> bm25.Index:
    ids = sorted(documents)
    return bm25.build(ids, (documents[name] for name in ids), **POLICY)


def found(documents, query, k=10, block=64):
    index = index_of(documents)
    hits = bm25.search(index, [query], k=k, block=block)
    names = [index.doc_ids[number] for number in hits.docs]
    return list(zip(names, hits.scores.tolist(), strict=True))


def impact(tf: int, df: int, length: int) -> int:
    """The formula, written out once more."""
    idf = math.log(1 + (5 - df + 0.5) / (df + 0.5))
    average = 18 / 5
    return round(2**18 * (idf * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * length / average))))


def test_the_score_is_the_sum_of_integer_impacts_and_repeated_query_terms_count_twice():
    rows = found(DOCUMENTS, ["solve", "x", "x", "unheard"])
    expected = impact(1, 3, 4) + 2 * impact(3, 4, 4)
    assert rows[0] == ("d_2", expected)
    assert rows[-1] == ("d_3", 2 * impact(1, 4, 4))


def test_equal_scores_are_ordered_by_doc_id_also_at_the_cut():
    assert [name for name, *_ in found(DOCUMENTS, ["x"])][:2] == ["d_2", "d_5"]
    assert [name for name, *_ in found(DOCUMENTS, ["x"], k=1)] == ["d_2"]


def test_a_query_of_unknown_words_and_an_empty_query_find_nothing():
    assert found(DOCUMENTS, ["unheard"]) == []
    assert found(DOCUMENTS, []) == []


@pytest.mark.parametrize("documents", [{}, {"d_1": []}])
def test_a_corpus_without_words_finds_nothing(documents):
    assert found(documents, ["x"]) == []


def test_the_size_of_a_block_changes_nothing():
    rows = [found(DOCUMENTS, ["solve", "x", "4"], k=3, block=block) for block in (1, 2, 3, 1000)]
    assert all(each == rows[0] for each in rows)


def test_every_hit_is_found_where_k_exceeds_the_corpus():
    assert len(found(DOCUMENTS, ["x"], k=1000)) == 4


def test_an_impact_that_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="bits=30"):
        fixed_point(np.array([9.0]), 30)


def test_idf_is_positive_even_for_a_word_of_every_document():
    idf = inverse_document_frequency(np.array([1, 5, 1]), 5)
    assert idf[1] == math.log(1 + 0.5 / 5.5) and idf[0] == idf[2] > idf[1] > 0


@pytest.mark.parametrize("common, frequent", [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.05, 0.2)])
def test_which_terms_are_lists_columns_or_rows_changes_no_result(monkeypatch, common, frequent):
    draw = np.random.default_rng(3)
    documents = {
        f"d_{number:03d}": [f"w{rank}" for rank in draw.zipf(1.3, draw.integers(1, 60)) if rank < 400]
        for number in range(300)
    }
    queries = [documents[name][:40] for name in list(documents)[::10]]
    usual = bm25.search(index_of(documents), queries, k=20)
    made = tiers.tiers
    monkeypatch.setattr(tiers, "tiers", lambda postings: made(postings, common, frequent))
    index = index_of(documents)
    for block in (7, 64, 1000):
        again = bm25.search(index, queries, k=20, block=block)
        for name in ("counts", "docs", "scores"):
            assert np.array_equal(getattr(again, name), getattr(usual, name))


def test_a_score_that_could_pass_32_bits_is_refused_with_what_to_lower():
    index = index_of({f"d_{number}": ["x"] if number == 3 else ["y"] for number in range(9000)})
    assert len(bm25.search(index, [["x"]], k=1).docs) == 1
    with pytest.raises(ValueError, match="fixed_point_bits.*routes.csv"):
        bm25.search(index, [["x"] * 3000], k=1)
