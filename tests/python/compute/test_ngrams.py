"""Word n-gram overlap on texts that a person can hold in the head."""

import math

import numpy as np

from mathpinpoint.compute import ngrams
from mathpinpoint.compute.postings import Postings, top_k

TEXTS = {
    "d_1": "a b c d e f g",
    "d_2": "a b c d e x y",
    "d_3": "q a b c d e",
    "d_4": "c d e f g h",
    "d_5": "too short",
    "d_6": "a b c d e f g",
}


def found(query: str, k: int = 10, size: int = 5):
    corpus = ngrams.build(list(TEXTS), (text.split() for text in TEXTS.values()), size=size)
    hits = ngrams.search(corpus, [query.split()], bits=18, k=k)
    names = [corpus.doc_ids[number] for number in hits.docs]
    return list(zip(names, hits.scores.tolist(), hits.matches.tolist(), strict=True))


def weight(df: int) -> int:
    return round(2**18 * math.log(1 + (6 - df + 0.5) / (df + 0.5)))


def test_the_score_sums_the_weights_of_the_shared_5_grams():
    rows = found("a b c d e f g h")
    assert rows == [
        ("d_4", weight(3) + weight(1), 2),
        ("d_1", weight(4) + weight(2) + weight(3), 3),
        ("d_6", weight(4) + weight(2) + weight(3), 3),
        ("d_2", weight(4), 1),
        ("d_3", weight(4), 1),
    ]


def test_equal_scores_are_cut_by_doc_id():
    assert [name for name, *_ in found("a b c d e", k=2)] == ["d_1", "d_2"]


def test_a_5_gram_that_a_query_holds_twice_counts_once():
    assert found("a b c d e a b c d e") == found("a b c d e")


def test_a_query_without_a_shared_5_gram_finds_nothing():
    assert found("n o p q r s") == [] == found("a b") == found("")


def test_among_equal_scores_more_matches_come_first():
    """d_0 holds one term of impact 2, d_1 two terms of impact 1."""
    postings = Postings(
        2, np.array([0, 1, 2, 3]), np.array([0, 1, 1], np.int32), np.array([2, 1, 1], np.int32)
    )
    query = (np.arange(3), np.ones(3, np.int64))
    hits = top_k(postings, [query], k=2)
    assert hits.docs.tolist() == [1, 0] and hits.scores.tolist() == [2, 2]


def test_the_filter_keeps_exactly_the_wanted_grams():
    draw = np.random.default_rng(3)
    grams = draw.integers(-(2**63), 2**63 - 1, size=50_000, dtype=np.int64)
    near = grams[:100] ^ (1 << 40)  # the same low bits, another hash
    wanted = np.unique(np.concatenate([grams[::7], near]))
    positions, terms = ngrams._filtered(grams, wanted)
    assert positions.tolist() == np.flatnonzero(np.isin(grams, wanted)).tolist()
    assert (wanted[terms] == grams[positions]).all()
