"""The exact top k of long queries over postings of three tiers: lists, columns and rows.

Most of the work of scoring a long query is in the terms that a large part of the documents hold. A *rare* term is a
list of postings. A *common* term is a dense column, one impact a document, added to the sums of all documents at once,
which is faster than a list of a tenth of them. The impacts of the *frequent* terms stand in a matrix, one row a
document, and are looked up only for documents that can still reach the top k: those whose score by the other terms,
with the most that the frequent ones could add, passes the k-th best full score so far. No document that belongs there
is left out, so the result is that of scoring every document.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mathpinpoint.compute.postings import Hits, Postings, flat_queries

# Shares of the documents from which on a term is common, and frequent. They change no result, only the time.
COMMON, FREQUENT = 0.1, 0.7
BLOCK = 65_536  # documents whose sums fit in a core's cache; changes no result


@dataclass(frozen=True)
class Tiers:
    """Postings of the rare terms, and the impacts of the others as matrices."""

    rare: Postings  # the list of another term is empty
    column: np.ndarray  # int32, one per term: its row of `common`, or of `most`; -1 for a rare term
    is_frequent: np.ndarray  # bool, one per term
    common: np.ndarray  # uint16 or int32, (n_common, n_docs)
    frequent: np.ndarray  # uint16 or int32, (n_docs, n_frequent)
    most: np.ndarray  # int64, (n_frequent,): the greatest impact of each column
    greatest: np.ndarray  # int64, one per term: its greatest impact

    @property
    def n_docs(self) -> int:
        return self.rare.n_docs


def tiers(postings: Postings, common: float = COMMON, frequent: float = FREQUENT) -> Tiers:
    """Move the terms that more than these shares of the documents hold from the postings into matrices."""
    n_docs, df = postings.n_docs, np.diff(postings.starts)
    greatest = np.zeros(len(df), dtype=np.int64)
    if len(postings.impacts):
        greatest[df > 0] = np.maximum.reduceat(postings.impacts, postings.starts[:-1][df > 0])
    is_frequent = df > frequent * n_docs
    is_common = (df > common * n_docs) & ~is_frequent
    column = np.full(len(df), -1, dtype=np.int32)
    matrices = []
    for chosen in (np.flatnonzero(is_common), np.flatnonzero(is_frequent)):
        column[chosen] = np.arange(len(chosen), dtype=np.int32)
        fits = greatest[chosen].max(initial=0) <= np.iinfo(np.uint16).max
        matrix = np.zeros((len(chosen), n_docs), dtype=np.uint16 if fits else np.int32)
        for number, term in enumerate(chosen):
            one = slice(postings.starts[term], postings.starts[term + 1])
            matrix[number, postings.docs[one]] = postings.impacts[one]
        matrices.append(matrix)
    is_rare = ~(is_common | is_frequent)
    kept = np.repeat(is_rare, df)
    starts = np.zeros(len(df) + 1, dtype=np.int64)
    np.cumsum(np.where(is_rare, df, 0), out=starts[1:])
    rare = Postings(n_docs, starts, postings.docs[kept], postings.impacts[kept])
    rows = np.ascontiguousarray(matrices[1].T)
    return Tiers(rare, column, is_frequent, matrices[0], rows, greatest[is_frequent], greatest)


def top_k(index: Tiers, queries: list[tuple[np.ndarray, np.ndarray]], *, k: int, block: int = BLOCK) -> Hits:
    """Exact top k of each query, given as (distinct term numbers, weights).

    score = Σ weight × impact > 0. Order: score descending, document number ascending. Lists may be shorter than k.
    Raises ValueError where a score could pass 2^31.
    """
    starts, terms, weights = flat_queries(queries)
    reached = np.concatenate([[0], np.cumsum(index.greatest[terms] * weights)])
    worst = (reached[starts[1:]] - reached[starts[:-1]]).max(initial=0)
    if worst > np.iinfo(np.int32).max:
        raise ValueError(
            f"A query's score may reach {worst}, which does not fit 32 bits. Lower fixed_point_bits of the route in "
            "seeds/policy/routes.csv, or cut the query."
        )
    rare = index.rare
    counts, docs, scores = _search(
        rare.starts, rare.docs, rare.impacts, index.column, index.is_frequent, index.common, index.frequent, index.most,
        rare.n_docs, starts, terms, weights, min(k, max(rare.n_docs, 1)), block,
    )
    kept = np.arange(docs.shape[1])[None, :] < counts[:, None]
    return Hits(counts, docs[kept], scores[kept], None)


@njit(nogil=True, cache=True)
def _first_at_least(docs, low, high, doc):
    while low < high:
        middle = (low + high) // 2
        if docs[middle] < doc:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def _insert(docs, scores, count, k, doc, score):
    """Put a hit into a sorted list; equal scores stand in the order in which they came. Returns the count."""
    place = count
    while place > 0 and score > scores[place - 1]:
        place -= 1
    if place == k:
        return count
    last = min(count, k - 1)
    for slot in range(last, place, -1):
        docs[slot], scores[slot] = docs[slot - 1], scores[slot - 1]
    docs[place], scores[place] = doc, score
    return last + 1


@njit(nogil=True, cache=True)
def _full(sums, frequent, columns, weights, n_columns, start, slot):
    score = np.int64(sums[slot])
    row = frequent[start + slot]
    for number in range(n_columns):
        score += weights[number] * row[columns[number]]
    return score


@njit(nogil=True, cache=True)
def _floor(sums, n, frequent, columns, weights, n_columns, start, k):
    """The least full score of the k best partial ones of a block: the k-th best score is no less."""
    if n < k:
        return np.int64(0)
    docs, scores = np.empty(k, np.int64), np.empty(k, np.int64)
    count = 0
    for slot in range(n):
        if count < k or sums[slot] > scores[k - 1]:
            count = _insert(docs, scores, count, k, slot, np.int64(sums[slot]))
    least = np.int64(2**62)
    for number in range(k):
        least = min(least, _full(sums, frequent, columns, weights, n_columns, start, docs[number]))
    return least


@njit(nogil=True, cache=True)
def _add_column(sums, column, weight):
    for slot in range(sums.size):
        sums[slot] += np.int32(weight) * np.int32(column[slot])


@njit(nogil=True, cache=True)
def _search(
    term_starts, posting_docs, impacts, column, is_frequent, common, frequent, most, n_docs,
    query_starts, query_terms, query_weights, k, block,
):
    n_queries = query_starts.size - 1
    docs = np.zeros((n_queries, k), dtype=np.int64)
    scores = np.zeros((n_queries, k), dtype=np.int64)
    counts = np.zeros(n_queries, dtype=np.int64)
    held = np.zeros(block, dtype=np.int32)
    for query in range(n_queries):
        terms = query_terms[query_starts[query] : query_starts[query + 1]]
        term_weights = query_weights[query_starts[query] : query_starts[query + 1]]
        cursors = term_starts[terms]
        columns, weights = np.empty(terms.size, np.int64), np.empty(terms.size, np.int64)
        n_columns, bound, count = 0, np.int64(0), 0
        for place in range(terms.size):
            if is_frequent[terms[place]]:
                columns[n_columns], weights[n_columns] = column[terms[place]], term_weights[place]
                bound += term_weights[place] * most[column[terms[place]]]
                n_columns += 1
        for start in range(0, n_docs, block):
            n = min(block, n_docs - start)
            sums = held[:n]
            sums[:] = 0
            for place in range(terms.size):
                term, weight = terms[place], np.int32(term_weights[place])
                if column[term] < 0:
                    stop = _first_at_least(posting_docs, cursors[place], term_starts[term + 1], start + n)
                    for cursor in range(cursors[place], stop):
                        sums[posting_docs[cursor] - start] += weight * impacts[cursor]
                    cursors[place] = stop
                elif not is_frequent[term]:
                    _add_column(sums, common[column[term], start : start + n], weight)
            if count < k:
                least = _floor(sums, n, frequent, columns, weights, n_columns, start, k)
            else:
                least = scores[query, k - 1] + 1
            for slot in range(n):
                if sums[slot] + bound >= least:
                    score = _full(sums, frequent, columns, weights, n_columns, start, slot)
                    if score > 0 and score >= least:
                        count = _insert(docs[query], scores[query], count, k, start + slot, score)
                        if count == k:
                            least = max(least, scores[query, k - 1] + 1)
        counts[query] = count
    return counts, docs, scores
