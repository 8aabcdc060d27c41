"""A release comes back as rows of the landed tables."""

import json

import made
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mathpinpoint.release.importer import import_release
from mathpinpoint.release.layout import ReleaseError, shard_paths
from mathpinpoint.schemas import LANDED


def imported(folder) -> dict[str, pa.Table]:
    return {name: pa.Table.from_batches(rows) for name, rows in import_release(folder).items()}


def test_rows_and_columns_are_those_of_the_landed_tables(tmp_path):
    found = imported(made.write(tmp_path / "mathpinpoint-v2"))
    for name, table in found.items():
        expected = [field for field in LANDED[name].schema if field.name != "landed_at"]
        assert table.schema == pa.schema(expected)
        assert set(table["release"].to_pylist()) == {"mathpinpoint-v2"}
    given, ours = made.judgments().to_pylist(), found["imported_judgments"].to_pylist()
    assert len(ours) == len(given)
    for theirs, row in zip(given, ours, strict=True):
        assert (row["query_id"], row["doc_id"]) == (theirs["qid"], theirs["did"])
        assert row["raw_score"] == theirs["rm8b_score"]
        assert row["prompt_sha256"] == theirs["rubric_sha256"]
        assert row["is_query_evaluable"] == theirs["query_evaluable"]
        codes = row["reason_codes"]
        assert (None if codes is None else json.loads(codes)) == theirs["reason_codes"]
        for name in ("dense_rank", "fused_rank", "rrf_score", "stage", "label", "judge"):
            assert row[name] == theirs[name]
    assert found["imported_documents"]["text"].to_pylist() == made.corpus()["text"].to_pylist()
    assert found["imported_queries"]["source_doc_id"].to_pylist() == (
        made.queries()["source_did"].to_pylist()
    )


def foreign(folder, **changed: pa.Table):
    """A release that somebody else wrote: other shard names, fewer columns, other types."""
    tables = {
        "corpus": pa.table({"did": ["d_1"], "text": ["Proof."]}),
        "queries": pa.table({"text": pa.array(["Prove."], pa.large_string()), "qid": ["p_1"]}),
        "judgments": pa.table({
            "qid": ["p_1"], "did": ["d_1"], "label": pa.array([2], pa.int8()),
            "reason_codes": ['["full_solution"]'], "dense_score": pa.array([0.5], pa.float32()),
        }),
        **changed,
    }
    for config, table in tables.items():
        (folder / config).mkdir(parents=True)
        pq.write_table(table, folder / config / "0000.parquet")
    return folder


def test_missing_optional_columns_are_null_and_types_become_ours(tmp_path):
    found = imported(foreign(tmp_path / "theirs"))
    [row] = found["imported_judgments"].to_pylist()
    assert row["label"] == 2 and row["reason_codes"] == '["full_solution"]'
    assert row["dense_score"] == 0.5 and row["stage"] is None and row["dense_rank"] is None
    [row] = found["imported_documents"].to_pylist()
    assert row == {"release": "theirs", "doc_id": "d_1", "text": "Proof.", "n_chars": None,
                   "is_multi_problem": None}
    [row] = found["imported_queries"].to_pylist()
    assert row["text"] == "Prove."


def test_a_missing_column_is_named_with_both_schemas_before_any_row_is_read(tmp_path):
    queries = pa.table({"id": ["p_1"], "text": ["Prove."]})
    folder = foreign(tmp_path / "theirs", queries=queries)
    with pytest.raises(ReleaseError, match="lacks qid. A queries file has qid, .* has id, text"):
        import_release(folder)


def test_a_type_that_cannot_become_ours_is_named(tmp_path):
    judgments = pa.table({"qid": ["p_1"], "did": ["d_1"], "label": ["two"]})
    folder = foreign(tmp_path / "theirs", judgments=judgments)
    with pytest.raises(ReleaseError, match="column label is string and cannot become int64"):
        imported(folder)


def test_a_folder_without_shards_and_a_broken_shard_are_named(tmp_path):
    with pytest.raises(ReleaseError, match="corpus holds no Parquet file"):
        import_release(tmp_path)
    folder = made.write(tmp_path / "release")
    shard_paths(folder, "corpus")[1].write_bytes(b"<html>")
    with pytest.raises(ReleaseError, match="train-00001-of-00003.parquet cannot be read"):
        import_release(folder)
