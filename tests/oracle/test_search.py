"""Lexical search against brute force in pure Python, float64, and SQL joins."""

import random
from collections import Counter
from math import log

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from mathpinpoint.compute import bm25, ngrams

K1, B, BITS, K, SIZE = 1.2, 0.75, 18, 100, 5


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[str]]:
    """400 documents of Zipf words, two thirds of them edited copies of an earlier one."""
    draw = random.Random(7)
    words = [f"w{number}" for number in range(800)]
    weights = [1 / (rank + 3) for rank in range(800)]
    documents: list[list[str]] = []
    for number in range(400):
        if number % 3 and documents:
            tokens = list(draw.choice(documents))
            for _ in range(len(tokens) // 10):
                tokens[draw.randrange(len(tokens))] = draw.choice(words)
        else:
            tokens = draw.choices(words, weights, k=draw.randint(0, 120))
        documents.append(tokens)
    return {f"d_{draw.getrandbits(48):012x}": tokens for tokens in documents}


@pytest.fixture(scope="module")
def queries(corpus) -> list[list[str]]:
    """Pieces of documents, a few with words of their own, one empty, one unknown."""
    draw = random.Random(8)
    pieces = []
    for tokens in draw.sample([t for t in corpus.values() if len(t) > 20], 60):
        start = draw.randrange(len(tokens) - 15)
        piece = tokens[start : start + draw.randint(3, 60)]
        pieces.append(piece + ["w1", "w1", "new"] * draw.randint(0, 1))
    return [*pieces, [], ["new"]]


def kernel(corpus, queries, block=37):
    ids = sorted(corpus)
    index = bm25.build(ids, (corpus[name] for name in ids), k1=K1, b=B, bits=BITS)
    return index, bm25.search(index, queries, k=K, block=block)


def listed(hits, doc_ids) -> list[list[tuple]]:
    """Hits as lists of (doc_id, score), or (doc_id, score, matches) where they are counted, one a query."""
    columns = [hits.docs, hits.scores] + ([] if hits.matches is None else [hits.matches])
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    ends = np.cumsum(hits.counts)
    return [
        [(doc_ids[doc], *rest) for doc, *rest in rows[end - count : end]]
        for end, count in zip(ends, hits.counts, strict=True)
    ]


def brute_bm25(corpus, queries, scale, rounded):
    n, average = len(corpus), sum(map(len, corpus.values())) / len(corpus)
    df = Counter(token for tokens in corpus.values() for token in set(tokens))
    counts = {name: Counter(tokens) for name, tokens in corpus.items()}
    for query in queries:
        rows = []
        for name, tf in counts.items():
            norm = K1 * (1 - B + B * len(corpus[name]) / average)
            score = 0
            for token, times in Counter(query).items():
                if tf[token]:
                    idf = log(1 + (n - df[token] + 0.5) / (df[token] + 0.5))
                    value = scale * (idf * tf[token] / (tf[token] + norm))
                    score += times * (round(value) if rounded else value)
            if score > 0:
                rows.append((name, score))
        yield sorted(rows, key=lambda row: (-row[1], row[0]))[:K]


def test_bm25_equals_brute_force_on_the_same_integers(corpus, queries):
    index, hits = kernel(corpus, queries)
    assert listed(hits, index.doc_ids) == list(brute_bm25(corpus, queries, 2**BITS, True))


def test_bm25_is_the_float_formula_to_one_part_in_ten_thousand(corpus, queries):
    index, hits = kernel(corpus, queries)
    worst = 0.0
    for ours, exact in zip(
        listed(hits, index.doc_ids), brute_bm25(corpus, queries, 1.0, False), strict=True
    ):
        for (_, fixed), (_, score) in zip(ours, exact, strict=True):
            worst = max(worst, abs(fixed / 2**BITS - score) / score)
    print(f"largest relative error of a score: {worst:.2e}")
    assert worst < 1e-4


def test_bm25_does_not_depend_on_the_order_of_documents_blocks_or_batches(corpus, queries):
    index, hits = kernel(corpus, queries)
    whole = listed(hits, index.doc_ids)
    shuffled = list(corpus)
    random.Random(9).shuffle(shuffled)
    for block in (1, 64, 10_000):
        index, again = kernel({name: corpus[name] for name in shuffled}, queries, block)
        assert listed(again, index.doc_ids) == whole
    split = [bm25.search(index, [query], k=K, block=64) for query in queries]
    assert [listed(one, index.doc_ids)[0] for one in split] == whole


def brute_ngrams(corpus, queries, size, k):
    def grams(tokens):
        return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}

    held = {name: grams(tokens) for name, tokens in corpus.items()}
    df = Counter(gram for found in held.values() for gram in found)
    weight = {
        gram: round(2**BITS * log(1 + (len(corpus) - n + 0.5) / (n + 0.5)))
        for gram, n in df.items()
    }
    for query in queries:
        shared = {name: grams(query) & found for name, found in held.items()}
        rows = [(name, sum(weight[g] for g in s), len(s)) for name, s in shared.items() if s]
        yield sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))[:k]


def test_ties_of_many_tiny_corpora_are_cut_alike_by_every_depth_and_block():
    """Two or three words, so that most scores are equal."""
    draw, n_ties = random.Random(11), 0
    for _ in range(150):
        words = "ab" if draw.random() < 0.5 else "abc"
        corpus = {
            f"d_{draw.getrandbits(20):05x}": draw.choices(words, k=draw.randint(2, 6))
            for _ in range(draw.randint(1, 30))
        }
        ids, k, block = sorted(corpus), draw.randint(1, 12), draw.randint(1, 9)
        queries = [draw.choices(words + "z", k=draw.randint(2, 6)) for _ in range(4)]
        index = bm25.build(ids, (corpus[name] for name in ids), k1=K1, b=B, bits=BITS)
        found = listed(bm25.search(index, queries, k=k, block=block), ids)
        assert found == [r[:k] for r in brute_bm25(corpus, queries, 2**BITS, True)]
        grams = ngrams.build(ids, (corpus[name] for name in ids), size=2)
        shared = listed(ngrams.search(grams, queries, bits=BITS, k=k), ids)
        assert shared == list(brute_ngrams(corpus, queries, 2, k))
        n_ties += sum(len(rows) - len({row[1] for row in rows}) for rows in [*found, *shared])
    print(f"{n_ties} ties within the lists")
    assert n_ties > 500


SQL = """
with postings as (
    select doc_id, unnest(grams) as gram from documents
),
frequencies as (
    select gram, count(*) as df from postings group by gram
),
weights as (
    select gram, round($scale * ln(1 + ($n - df + 0.5) / (df + 0.5)))::bigint as weight
    from frequencies
),
asked as (
    select query, unnest(grams) as gram from queries
),
scored as (
    select query, doc_id, sum(weight)::bigint as score, count(*) as n_match
    from asked inner join postings using (gram) inner join weights using (gram)
    group by query, doc_id
)
select query, doc_id, score, n_match from scored where score > 0
qualify row_number() over (
    partition by query order by score desc, n_match desc, doc_id
) <= $k
order by query, score desc, n_match desc, doc_id
"""


def by_sql(corpus, queries) -> list[list[tuple[str, int, int]]]:
    """The same definition on the words themselves: no hash, no index."""

    def grams(tokens: list[str]) -> list[str]:
        last = max(len(tokens) - SIZE + 1, 0)
        return sorted({" ".join(tokens[start : start + SIZE]) for start in range(last)})

    with duckdb.connect() as connection:
        kinds = pa.list_(pa.string())
        connection.register("documents", pa.table({
            "doc_id": list(corpus), "grams": pa.array([grams(t) for t in corpus.values()], kinds),
        }))
        connection.register("queries", pa.table({
            "query": range(len(queries)), "grams": pa.array([grams(t) for t in queries], kinds),
        }))
        rows = connection.execute(SQL, {"scale": 2**BITS, "n": len(corpus), "k": K}).fetchall()
    found: list[list[tuple[str, int, int]]] = [[] for _ in queries]
    for query, *row in rows:
        found[query].append(tuple(row))
    return found


def test_ngram5_equals_a_sql_join(corpus, queries):
    asked, ids = [query for query in queries if len(query) >= SIZE], sorted(corpus)
    index = ngrams.build(ids, (corpus[name] for name in ids), size=SIZE)
    hits = ngrams.search(index, asked, bits=BITS, k=K)
    expected = by_sql(corpus, asked)
    scores = [row[1] for rows in expected for row in rows]
    print(f"{len(scores)} hits of {len(asked)} queries, {len(set(scores))} distinct scores")
    assert listed(hits, ids) == expected


def test_ngram5_does_not_depend_on_the_batches(corpus, queries):
    ids = sorted(corpus)
    index = ngrams.build(ids, (corpus[name] for name in ids), size=SIZE)
    whole = listed(ngrams.search(index, queries, bits=BITS, k=K), ids)
    split = [
        listed(ngrams.search(index, [query], bits=BITS, k=K), ids)[0] for query in queries
    ]
    assert split == whole
