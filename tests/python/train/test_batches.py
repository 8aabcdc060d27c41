"""Batches hold no known positive as a negative."""

import random

import pytest

from mathpinpoint.train.batches import Row, pack


def _rows(count: int, seed: int) -> tuple[list[Row], set[tuple[str, str]]]:
    draw = random.Random(seed)
    docs = [f"d{n}" for n in range(4 * count)]
    rows = [Row(f"q{n}", tuple(draw.sample(docs, 4))) for n in range(count)]
    known = {(row.query_id, draw.choice(docs)) for row in rows for _ in range(3)}
    own = {(row.query_id, doc_id) for row in rows for doc_id in row.doc_ids[1:]}
    return rows, known - own  # a row's negatives are labelled 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_batch_holds_a_known_positive_as_a_negative_and_no_row_is_lost(seed):
    rows, known = _rows(200, seed)
    batches = pack(rows, known, batch_size=16, seed=seed)
    assert sorted(position for batch in batches for position in batch) == list(range(200))
    assert max(map(len, batches)) == 16
    relevant = known | {(row.query_id, row.doc_ids[0]) for row in rows}
    for batch in batches:
        for one in batch:
            for other in batch:
                if one != other:
                    pairs = {(rows[one].query_id, doc_id) for doc_id in rows[other].doc_ids}
                    assert not pairs & relevant


def test_batches_follow_from_the_seed():
    rows, known = _rows(100, 7)
    first = pack(rows, sorted(known), batch_size=8, seed=1)
    assert first == pack(rows, sorted(known, reverse=True), batch_size=8, seed=1)
    assert first != pack(rows, sorted(known), batch_size=8, seed=2)


def test_two_rows_of_one_document_never_meet():
    rows = [Row("q1", ("d1", "d2")), Row("q2", ("d1", "d3")), Row("q3", ("d4", "d5"))]
    batches = pack(rows, [], batch_size=3, seed=0)
    assert all(not {0, 1} <= set(batch) for batch in batches)
    assert len(batches) == 2
