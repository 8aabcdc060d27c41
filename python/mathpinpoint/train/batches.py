"""Batches in which no document is a negative of a query that it is known to answer."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Row(NamedTuple):
    """A training row: its query, and all its documents, the positive first."""

    query_id: str
    doc_ids: tuple[str, ...]


@dataclass
class _Batch:
    rows: list[int] = field(default_factory=list)
    doc_ids: set[str] = field(default_factory=set)
    relevant: set[str] = field(default_factory=set)  # known for any query of the batch


def pack(
    rows: Sequence[Row], known: Iterable[tuple[str, str]], *, batch_size: int, seed: int
) -> list[list[int]]:
    """Positions into `rows`, packed into batches of at most `batch_size`; each row comes once.

    `known` are the pairs (query_id, doc_id) labelled 1 or more; a row's positive is one of them
    even where it is not listed. In no batch does one row hold a document known for the query of
    another row. Rows are placed in seeded order, each into the first batch that can take it.
    """
    relevant = defaultdict(set)
    for query_id, doc_id in known:
        relevant[query_id].add(doc_id)
    for row in rows:
        relevant[row.query_id].add(row.doc_ids[0])
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    full: list[_Batch] = []
    open_batches: list[_Batch] = []
    for position in order:
        row = rows[position]
        batch = _first_fit(open_batches, row, relevant[row.query_id])
        batch.rows.append(position)
        batch.doc_ids.update(row.doc_ids)
        batch.relevant.update(relevant[row.query_id])
        if len(batch.rows) == batch_size:
            open_batches.remove(batch)
            full.append(batch)
    return [batch.rows for batch in full + open_batches]


def _first_fit(open_batches: list[_Batch], row: Row, relevant: set[str]) -> _Batch:
    for batch in open_batches:
        if batch.relevant.isdisjoint(row.doc_ids) and batch.doc_ids.isdisjoint(relevant):
            return batch
    open_batches.append(_Batch())
    return open_batches[-1]
