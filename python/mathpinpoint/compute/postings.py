"""Postings with integer impacts, and the exact top k over them.

Impacts are fixed-point integers, so a score is an exact sum: SQL, this kernel, and any split of
the documents or of the queries give the same ids and the same scores.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

MATCH_BITS = 16  # of a sum, below the score: they count the terms that matched


@dataclass(frozen=True)
class Postings:
    """Per term: the documents that hold it, ascending, and the impact in each."""

    n_docs: int
    starts: np.ndarray  # int64, n_terms + 1
    docs: np.ndarray  # int32
    impacts: np.ndarray  # int32


@dataclass(frozen=True)
class Hits:
    """The hits of many queries, one query after the other, best first."""

    counts: np.ndarray  # int64, one per query; may be 0
    docs: np.ndarray  # int64, document numbers
    scores: np.ndarray  # int64
    matches: np.ndarray | None  # int64, distinct terms of the query that the document holds, where they are counted


def inverse_document_frequency(df: np.ndarray, n_docs: int) -> np.ndarray:
    """Lucene's ln(1 + (N - df + 0.5) / (df + 0.5)), as float64.

    One libm logarithm per distinct df: SIMD logarithms differ in the last bit between machines.
    """
    distinct, inverse = np.unique(df, return_inverse=True)
    idf = [math.log(1.0 + (n_docs - n + 0.5) / (n + 0.5)) for n in distinct.tolist()]
    return np.array(idf, dtype=np.float64)[inverse]


def fixed_point(values: np.ndarray, bits: int) -> np.ndarray:
    """round(values * 2^bits) as int32; raises where that does not fit."""
    fixed = np.rint(np.ldexp(values, bits))
    if fixed.size and fixed.max() > np.iinfo(np.int32).max:
        raise ValueError(f"An impact of {values.max():.3f} does not fit 32 bits at bits={bits}.")
    return fixed.astype(np.int32)


def by_term(terms: np.ndarray, docs: np.ndarray, n_terms: int) -> tuple[np.ndarray, np.ndarray]:
    """The starts of each term, and the order that sorts (term, document) pairs by term.

    Pairs come ordered by document, and keep that order within a term.
    """
    starts = np.zeros(n_terms + 1, dtype=np.int64)
    np.cumsum(np.bincount(terms, minlength=n_terms), out=starts[1:])
    return starts, _counting_order(terms, starts[:-1].copy())


def top_k(postings: Postings, queries: list[tuple[np.ndarray, np.ndarray]], *, k: int) -> Hits:
    """Exact top k of each query, given as (distinct term numbers, weights).

    score = Σ weight × impact > 0. Order: score descending, then matches descending, then document number ascending.
    Lists may be shorter than k.
    """
    starts, terms, weights = flat_queries(queries)
    if max((len(terms) for terms, _ in queries), default=0) >> MATCH_BITS:
        raise ValueError(f"A query has more than {(1 << MATCH_BITS) - 1} distinct terms. Cut it.")
    counts, docs, keys = _search(
        postings.starts, postings.docs, postings.impacts, postings.n_docs,
        starts, terms, weights, min(k, max(postings.n_docs, 1)),
    )
    kept = np.arange(docs.shape[1])[None, :] < counts[:, None]
    return Hits(counts, docs[kept], keys[kept] >> MATCH_BITS, keys[kept] & ((1 << MATCH_BITS) - 1))


def flat_queries(queries: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each query begins (and the last one ends), and all their term numbers and weights, as int64."""
    starts = np.zeros(len(queries) + 1, dtype=np.int64)
    np.cumsum([len(terms) for terms, _ in queries], out=starts[1:])
    empty = np.zeros(0, np.int64)
    terms, weights = (
        np.concatenate([empty, *(query[part] for query in queries)]).astype(np.int64, copy=False) for part in (0, 1)
    )
    return starts, terms, weights


@njit(nogil=True, cache=True)
def _counting_order(terms, cursors):
    order = np.empty(terms.size, dtype=np.int64)
    for pair in range(terms.size):
        term = terms[pair]
        order[cursors[term]] = pair
        cursors[term] += 1
    return order


@njit(nogil=True, cache=True)
def _insert(docs, keys, count, k, doc, key):
    """Put one hit into a sorted list: a larger key first, of equal ones the smaller document. Returns the count."""
    place = count
    while place > 0 and (key > keys[place - 1] or (key == keys[place - 1] and doc < docs[place - 1])):
        place -= 1
    if place == k:
        return count
    last = min(count, k - 1)
    for slot in range(last, place, -1):
        docs[slot], keys[slot] = docs[slot - 1], keys[slot - 1]
    docs[place], keys[place] = doc, key
    return last + 1


@njit(nogil=True, cache=True)
def _search(term_starts, posting_docs, impacts, n_docs, query_starts, query_terms, query_weights, k):
    """Add up the documents that hold a term of the query, term by term.

    A document's sum is its key: the score above MATCH_BITS bits that count the matches.
    """
    n_queries = query_starts.size - 1
    docs = np.zeros((n_queries, k), dtype=np.int64)
    keys = np.zeros((n_queries, k), dtype=np.int64)
    counts = np.zeros(n_queries, dtype=np.int64)
    sums, touched = np.zeros(n_docs, dtype=np.int64), np.zeros(n_docs, dtype=np.int32)
    for query in range(n_queries):
        n_touched, count = 0, 0
        for place in range(query_starts[query], query_starts[query + 1]):
            term, weight = query_terms[place], query_weights[place]
            for cursor in range(term_starts[term], term_starts[term + 1]):
                doc = posting_docs[cursor]
                if sums[doc] == 0:
                    touched[n_touched] = doc
                    n_touched += 1
                sums[doc] += ((weight * impacts[cursor]) << MATCH_BITS) + 1
        for doc in touched[:n_touched]:
            key = sums[doc]
            if key >> MATCH_BITS > 0 and (count < k or key >= keys[query, k - 1]):
                count = _insert(docs[query], keys[query], count, k, doc, key)
            sums[doc] = 0
        counts[query] = count
    return counts, docs, keys
