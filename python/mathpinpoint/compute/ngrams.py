"""Word n-gram overlap: the idf-weighted n-grams that a query and a document share."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mathpinpoint.compute.postings import (
    Hits,
    Postings,
    by_term,
    fixed_point,
    inverse_document_frequency,
    top_k,
)
from mathpinpoint.compute.shingles import shingles

SIEVE = (1 << 24) - 1  # low bits of a hash that the first, coarse filter looks at
CHUNK = 1 << 20  # n-grams filtered at a time


@dataclass(frozen=True)
class Corpus:
    """The distinct n-grams of every document, one document after the other."""

    doc_ids: list[str]
    size: int  # tokens of an n-gram
    starts: np.ndarray  # int64, n_docs + 1
    grams: np.ndarray  # int64 hashes


def build(doc_ids: list[str], tokens: Iterable[list[str]], *, size: int) -> Corpus:
    """Hash the n-grams of documents given as ascending distinct ids and their tokens."""
    arrays = [shingles(document, size=size) for document in tokens]
    starts = np.zeros(len(arrays) + 1, dtype=np.int64)
    np.cumsum([len(array) for array in arrays], out=starts[1:])
    grams = np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)
    return Corpus(list(doc_ids), size, starts, grams)


def stored(corpus: Corpus) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """The corpus as arrays and as lists of texts, from which `restored` makes it again."""
    return {"starts": corpus.starts, "grams": corpus.grams}, {"doc_ids": corpus.doc_ids, "size": [str(corpus.size)]}


def restored(arrays: dict[str, np.ndarray], texts: dict[str, list[str]]) -> Corpus:
    return Corpus(texts["doc_ids"], int(texts["size"][0]), arrays["starts"], arrays["grams"])


def search(corpus: Corpus, queries: list[list[str]], *, bits: int, k: int) -> Hits:
    """Exact top k of each query: score = Σ round(2^bits * idf) over the shared n-grams.

    Order: score descending, shared n-grams descending, doc_id ascending. Only n-grams that some
    query of the call holds are looked at; idf and N are those of the whole corpus. A text of
    fewer tokens is one n-gram of its own, and so meets only its equals.
    """
    return scored(corpus, *filtered(corpus, queries), bits=bits, k=k)


def filtered(corpus: Corpus, queries: list[list[str]]) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Each query's n-grams, all of them (sorted, distinct), where they stand in the corpus, and which stands there."""
    asked = [shingles(query, size=corpus.size) for query in queries]
    wanted = np.unique(np.concatenate(asked)) if asked else np.zeros(0, dtype=np.int64)
    return asked, wanted, *_filtered(corpus.grams, wanted)


def scored(
    corpus: Corpus, asked: list[np.ndarray], wanted: np.ndarray, positions: np.ndarray, terms: np.ndarray,
    *, bits: int, k: int,
) -> Hits:
    """The top k from what `filtered` left of the corpus."""
    docs = (np.searchsorted(corpus.starts, positions, side="right") - 1).astype(np.int32)
    starts, order = by_term(terms, docs, len(wanted))
    n_docs, df = len(corpus.doc_ids), np.diff(starts)
    idf = fixed_point(inverse_document_frequency(df, n_docs), bits)
    postings = Postings(n_docs, starts, docs[order], np.repeat(idf, df))
    weighted = [(np.searchsorted(wanted, grams), np.ones(len(grams), np.int64)) for grams in asked]
    return top_k(postings, weighted, k=k)


def _filtered(grams: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the wanted n-grams (sorted) stand, and the number of each in the wanted ones."""
    sieve = np.zeros(SIEVE + 1, dtype=bool)
    sieve[wanted & SIEVE] = True
    positions, terms = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, len(grams) if len(wanted) else 0, CHUNK):
        near = np.flatnonzero(sieve[grams[start : start + CHUNK] & SIEVE]) + start
        place = np.minimum(np.searchsorted(wanted, grams[near]), len(wanted) - 1)
        exact = wanted[place] == grams[near]
        positions.append(near[exact])
        terms.append(place[exact])
    return np.concatenate(positions), np.concatenate(terms)
