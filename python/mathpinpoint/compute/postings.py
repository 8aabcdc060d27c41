"""Postings with integer impacts, and the exact top k over them.

Impacts are fixed-point integers, so a score is an exact sum: SQL, this kernel, and any split of
the documents or of the queries give the same ids and the same scores.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

BLOCK = 32_768  # documents whose scores fit in a core's cache; changes no result


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


def top_k(
    postings: Postings,
    queries: list[tuple[np.ndarray, np.ndarray]],
    *,
    k: int,
    block: int,
    more_matches_first: bool,
) -> Hits:
    """Exact top k of each query, given as (distinct term numbers, weights).

    score = Σ weight × impact > 0. Order: score descending, then (if asked) matches descending,
    then document number ascending. Lists may be shorter than k.
    """
    starts, terms, weights = flat_queries(queries)
    counts, docs, scores, matches = _search(
        postings.starts, postings.docs, postings.impacts, postings.n_docs,
        starts, terms, weights, min(k, max(postings.n_docs, 1)), block, more_matches_first,
    )
    kept = np.arange(docs.shape[1])[None, :] < counts[:, None]
    return Hits(counts, docs[kept], scores[kept], matches[kept])


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
def _insert(docs, scores, matches, count, k, doc, score, match, more_matches_first):
    """Put one hit into a sorted list; documents arrive in ascending order. Returns the count."""
    place = count
    while place > 0:
        better = score > scores[place - 1]
        if more_matches_first and score == scores[place - 1]:
            better = match > matches[place - 1]
        if not better:
            break
        place -= 1
    if place == k:
        return count
    last = min(count, k - 1)
    for slot in range(last, place, -1):
        docs[slot] = docs[slot - 1]
        scores[slot], matches[slot] = scores[slot - 1], matches[slot - 1]
    docs[place], scores[place], matches[place] = doc, score, match
    return last + 1


@njit(nogil=True, cache=True)
def _search(
    term_starts, posting_docs, impacts, n_docs,
    query_starts, query_terms, query_weights, k, block, more_matches_first,
):
    """Score every document, one block of documents at a time, term by term."""
    n_queries = query_starts.size - 1
    docs = np.zeros((n_queries, k), dtype=np.int64)
    scores = np.zeros((n_queries, k), dtype=np.int64)
    matches = np.zeros((n_queries, k), dtype=np.int64)
    counts = np.zeros(n_queries, dtype=np.int64)
    sums = np.zeros(block, dtype=np.int64)
    hits = np.zeros(block, dtype=np.int32)
    for query in range(n_queries):
        first, last = query_starts[query], query_starts[query + 1]
        cursors = term_starts[query_terms[first:last]]
        ends = term_starts[query_terms[first:last] + 1]
        for start in range(0, n_docs, block):
            stop = min(start + block, n_docs)
            touched = False
            for term in range(last - first):
                weight, cursor = query_weights[first + term], cursors[term]
                while cursor < ends[term] and posting_docs[cursor] < stop:
                    sums[posting_docs[cursor] - start] += weight * impacts[cursor]
                    hits[posting_docs[cursor] - start] += 1
                    touched = True
                    cursor += 1
                cursors[term] = cursor
            if not touched:
                continue
            for slot in range(stop - start):
                score = sums[slot]
                if score > 0 and (counts[query] < k or score >= scores[query, k - 1]):
                    counts[query] = _insert(
                        docs[query], scores[query], matches[query], counts[query], k,
                        start + slot, score, hits[slot], more_matches_first,
                    )
                sums[slot] = 0
                hits[slot] = 0
    return counts, docs, scores, matches
