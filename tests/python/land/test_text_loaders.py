"""The loaders of text forms: work lists in, rows of the landed schemas out."""

import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.normalize import canonical_text, match_tokens, query_key, sha256_text
from mathpinpoint.land import (
    duplicate_verdicts,
    evaluation_items,
    leak_overlaps,
    query_forms,
    question_removals,
    signatures,
)
from mathpinpoint.schemas import LANDED, WORK

SHARED = Path(
    os.environ.get("MATHPINPOINT_SHARED") or Path(__file__).parents[3].parent / "shared" / "data"
)
LOADERS = {
    "question_removals": (question_removals, {"max_share": 0.15, "max_extra_chars": 500}),
    "query_forms": (query_forms, {"shingle_tokens": 5}),
    "signatures": (
        signatures,
        {
            "shingle_tokens": 5, "permutations": 128, "bands": 16, "rows": 8, "second_bands": 8, "second_rows": 5,
            "seed": 1,
        },
    ),
    "leak_overlaps": (leak_overlaps, {}),
    "duplicate_verdicts": (duplicate_verdicts, {"max_insertion": 8}),
}


def land(table: str, *work: dict) -> list[dict]:
    """The landed rows of a work list of one batch; missing columns of the list are null."""
    loader, options = LOADERS[table]
    batch = pa.RecordBatch.from_pylist(list(work), schema=WORK[table])
    (landed,) = loader.rows(iter([batch]), **options)
    assert [*landed.schema.names, "landed_at"] == LANDED[table].schema.names
    return landed.to_pylist()


@pytest.mark.parametrize("table", LOADERS)
def test_an_empty_batch_lands_no_rows(table):
    assert land(table) == []


@pytest.mark.parametrize("table", LOADERS)
def test_nulls_land_a_row(table):
    assert len(land(table, {})) == 1


def test_question_removal_lands_text_and_keys():
    text, question = "Q: Find $x$ if $2x=6$.\n\nIt is $x=3$.", "Find $x$ if $2x=6$."
    work = {"page_id": "p_1", "text_sha256": sha256_text(text), "text": text}
    first, second = land(
        "question_removals",
        work | {"question_verbatim": question}, work | {"question_verbatim": ""},
    )
    assert (first["outcome"], first["text"]) == ("exact", "Q:\n\nIt is $x=3$.")
    assert json.loads(first["spans"]) == [[3, 22, "exact", 1.0]]
    assert first["n_removed_chars"] == 19
    assert first["question_sha256"] == sha256_text(question)
    assert first["canonical_sha256"] == sha256_text(canonical_text(first["text"]))
    assert (first["n_prose_tokens"], first["n_math_spans"]) == (3, 1)
    assert (second["outcome"], second["text"]) == ("no_question", text)
    assert second["question_sha256"] == sha256_text("")


def test_question_removal_reads_the_page_s_blocks():
    answer = "To find a prime above one hundred one tries 101, which has no divisor."
    text = f"{answer}\n\nDo find a prime above one hundred."
    blocks = json.dumps([[0, len(answer), "answer"], [len(answer) + 2, len(text), "question"]])
    work = {"page_id": "p_1", "text": text, "question_verbatim": "find a prime above one hundred"}
    known, unknown = land("question_removals", work | {"blocks": blocks}, work | {"blocks": "[]"})
    assert (known["text"], known["blocks_sha256"]) == (f"{answer}\n\nDo", sha256_text(blocks))
    assert unknown["text"].startswith("To one tries 101")


def test_query_form_lands_keys_and_shingles():
    text = "Find  the Least $N$ with N² > 10"
    (row,) = land("query_forms", {"query_sha256": "q", "query_text": text})
    assert row["query_key"] == query_key(text)
    assert row["canonical_key"] == "find the least N with N ^ 2 > 10"
    assert row["n_tokens"] == 10
    assert len(row["shingles"]) == 6
    assert row["shingles"] == sorted(row["shingles"])


def test_signature_bands_follow_the_options():
    (row,) = land("signatures", {"doc_id": "d_1", "doc_text": "one two three four five six"})
    assert len(row["shingles"]) == 2
    assert len(row["bands"]) == 24
    assert "bands-16x8+8x5" in row["scheme"]
    (empty,) = land("signatures", {"doc_id": "d_2", "doc_text": ""})
    assert (empty["n_tokens"], empty["shingles"], empty["bands"]) == (0, [], [])


@pytest.mark.parametrize(
    ("texts", "questions", "is_conflict"),
    [
        (("It is $x=3$.", "It is $x=4$."), (None, None), True),
        (("It is so.", "It is so!"), (None, None), False),
        (("It is 3.", "It is 3."), ("Find $2x=6$.", "Find $3x=9$."), True),
        (("It is 3.", "It is 3."), ("Find $2x=6$.", ""), False),
        (
            ("It is 3.", "It is 3."),
            ("Find $2x=6$.", "Hello, I have been stuck on this for 2 days. Find $2x=6$."),
            False,
        ),
    ],
)
def test_verdict_compares_texts_and_questions(texts, questions, is_conflict):
    (row,) = land("duplicate_verdicts", {
        "doc_a": "d_1", "doc_b": "d_2", "text_a": texts[0], "text_b": texts[1],
        "question_a": questions[0], "question_b": questions[1],
    })
    assert row["is_conflict"] == is_conflict
    assert (row["conflict"] is not None) == is_conflict


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text())
def test_any_two_texts_land_rows(a, b):
    land("question_removals", {"page_id": "p", "text": a, "question_verbatim": b})
    land("query_forms", {"query_sha256": "q", "query_text": a})
    land("signatures", {"doc_id": "d", "doc_text": a})
    land("duplicate_verdicts", {
        "doc_a": "a", "doc_b": "b", "text_a": a, "text_b": b, "question_a": b, "question_b": a,
    })


def items(tmp_path: Path, *lines: str) -> list[dict]:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    batches = evaluation_items.items({"held": path}, shingle_tokens=5)
    return [row for batch in batches for row in batch.to_pylist()]


def test_items_are_read_from_any_of_the_known_fields(tmp_path):
    found = items(
        tmp_path,
        '{"problem": "Find $x$.", "id": "a"}', '{"question": "Find $y$.", "idx": 7}', "",
        '{"query": "Find $z$.", "unique_id": "u/1"}', '{"text": "Find $t$."}',
    )
    assert [row["item_id"] for row in found] == ["a", "7", "u/1", "5"]
    assert [row["canonical_key"] for row in found] == [f"find {name} ." for name in "xyzt"]
    assert {row["eval_set"] for row in found} == {"held"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not a JSON object"), ("[1]", "line 2: a JSON object is wanted"),
        ('{"answer": 3}', "line 2: no text under any of problem"),
        ('{"text": "x", "id": "a"}', "line 2: the id 'a' is that of line 1"),
    ],
)
def test_bad_lines_are_named(tmp_path, line, message):
    with pytest.raises(ValueError, match=message) as raised:
        items(tmp_path, '{"text": "Find $x$.", "id": "a"}', line)
    assert "items.jsonl" in str(raised.value)


def test_missing_file_is_named(tmp_path):
    sets = {"held": tmp_path / "none.jsonl"}
    with pytest.raises(ValueError, match=r"there is no file .*none\.jsonl"):
        next(evaluation_items.items(sets, shingle_tokens=5))


@pytest.mark.parametrize("name", ["gsm8k_test", "math500_test"])
def test_public_sets_are_read_whole(name):
    path = SHARED / "evaluation" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("the shared evaluation sets are not here")
    with path.open() as lines:
        n_items = sum(1 for _ in lines)
    table = pa.Table.from_batches(evaluation_items.items({name: path}, shingle_tokens=5))
    assert table.num_rows == n_items
    assert [*table.schema.names, "landed_at"] == LANDED["evaluation_items"].schema.names
    text, n_tokens = table["text"][0].as_py(), table["n_tokens"].to_numpy()
    assert n_tokens[0] == len(match_tokens(text))
    assert np.median(n_tokens) > 15


def test_overlap_counts_tokens_in_order():
    query, item = "find all real x with x ^ 2 = 4", "find every real x with x ^ 2 = 4 and x > 0"
    found = land(
        "leak_overlaps",
        {"query_sha256": "q", "eval_set": "s", "item_id": "i", "query_tokens": query, "item_tokens": item},
    )
    assert [(row["n_lcs"], row["n_query_tokens"], row["n_item_tokens"]) for row in found] == [(9, 10, 14)]
