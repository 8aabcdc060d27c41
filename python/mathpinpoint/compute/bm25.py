"""BM25 by Lucene's formula, with fixed-point integer impacts and an exact top k."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numba import njit

from mathpinpoint.compute import tiers
from mathpinpoint.compute.postings import Hits, Postings, fixed_point, inverse_document_frequency


@dataclass(frozen=True)
class Index:
    """A searchable corpus; document number i is doc_ids[i]."""

    doc_ids: list[str]
    terms: dict[str, int]
    tiers: tiers.Tiers


def build(
    doc_ids: list[str], tokens: Iterable[list[str]], *, k1: float, b: float, bits: int
) -> Index:
    """Index documents given as ascending distinct ids and, in the same order, their tokens.

    impact = round(2^bits * idf * tf / (tf + k1 * (1 - b + b * dl / avgdl))), idf of Lucene 8.
    """
    terms: dict[str, int] = {}
    numbers, frequencies, n_distinct, lengths = [], [], [], []
    for document in tokens:
        found = np.fromiter(
            (terms.setdefault(token, len(terms)) for token in document), np.int32, len(document)
        )
        distinct, counts = np.unique(found, return_counts=True)
        numbers.append(distinct)
        frequencies.append(counts.astype(np.int32))
        n_distinct.append(len(distinct))
        lengths.append(len(document))
    postings = _postings(numbers, frequencies, n_distinct, lengths, len(terms), k1, b, bits)
    return Index(list(doc_ids), terms, tiers.tiers(postings))


def stored(index: Index) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """The index as arrays and as lists of texts, from which `restored` makes it again."""
    one = index.tiers
    arrays = {
        "starts": one.rare.starts, "docs": one.rare.docs, "impacts": one.rare.impacts, "column": one.column,
        "is_frequent": one.is_frequent, "common": one.common, "frequent": one.frequent, "most": one.most,
        "greatest": one.greatest,
    }
    return arrays, {"doc_ids": index.doc_ids, "terms": list(index.terms)}


def restored(arrays: dict[str, np.ndarray], texts: dict[str, list[str]]) -> Index:
    rare = Postings(len(texts["doc_ids"]), *(arrays[name] for name in ("starts", "docs", "impacts")))
    rest = [arrays[name] for name in ("column", "is_frequent", "common", "frequent", "most", "greatest")]
    terms = {term: number for number, term in enumerate(texts["terms"])}
    return Index(texts["doc_ids"], terms, tiers.Tiers(rare, *rest))


def search(index: Index, queries: list[list[str]], *, k: int, block: int = tiers.BLOCK) -> Hits:
    """Exact top k of each query's tokens by (score descending, doc_id ascending).

    A token that a query holds n times counts n times; tokens that no document holds are ignored.
    """
    weighted = []
    for query in queries:
        known = [index.terms[token] for token in query if token in index.terms]
        weighted.append(np.unique(np.array(known, dtype=np.int64), return_counts=True))
    return tiers.top_k(index.tiers, weighted, k=k, block=block)


def _postings(numbers, frequencies, n_distinct, lengths, n_terms, k1, b, bits) -> Postings:
    """The (term, tf) pairs of each document, one document after the other, as postings; empties the two lists."""
    terms, tf = _joined(numbers), _joined(frequencies)
    n_docs, held = len(lengths), np.array(lengths, dtype=np.float64)
    df = np.bincount(terms, minlength=n_terms)
    starts = np.zeros(n_terms + 1, dtype=np.int64)
    np.cumsum(df, out=starts[1:])
    idf = inverse_document_frequency(df, n_docs)
    fixed_point(idf, bits)  # raises where an impact, which is less than its idf, might not fit
    norm = k1 * (1 - b + b * held / (held.sum() / max(n_docs, 1) or 1.0))
    docs, impacts = _placed(terms, tf, np.array(n_distinct, dtype=np.int64), starts[:-1].copy(), idf, norm, 2.0**bits)
    return Postings(n_docs, starts, docs, impacts)


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    joined = np.concatenate([*arrays, np.zeros(0, dtype=np.int32)])
    arrays.clear()
    return joined


@njit(nogil=True, cache=True)
def _placed(terms, tf, n_distinct, cursors, idf, norm, scale):
    """Documents and impacts in the order of the terms; within a term, documents ascend."""
    docs, impacts = np.empty(terms.size, np.int32), np.empty(terms.size, np.int32)
    pair = 0
    for doc in range(n_distinct.size):
        for _ in range(n_distinct[doc]):
            term = terms[pair]
            place = cursors[term]
            docs[place] = doc
            impacts[place] = np.int32(np.rint(idf[term] * tf[pair] / (tf[pair] + norm[doc]) * scale))
            cursors[term] = place + 1
            pair += 1
    return docs, impacts
