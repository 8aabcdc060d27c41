"""The names of shards: the same work lands once, and again when the code that did it changes."""

import pyarrow as pa
import pytest
from homes import cli, landed, said

from mathpinpoint import shards
from mathpinpoint.compute import normalize
from mathpinpoint.land import query_forms
from mathpinpoint.schemas import LANDED, WORK
from mathpinpoint.warehouse import Warehouse

OPTIONS = {"shingle_tokens": 5}


def _shard():
    rows = [{"query_sha256": f"{n:064x}", "query_text": f"Find $x^{n}$."} for n in range(3)]
    return pa.Table.from_pylist(rows, schema=WORK["query_forms"])


def test_the_same_work_lands_once_and_again_under_a_new_version(tmp_path, monkeypatch):
    Warehouse(tmp_path).create()
    for _ in range(2):
        assert shards.land_shard(tmp_path, "query_forms", OPTIONS, _shard()) == 3
    assert len(landed(tmp_path, "query_forms")) == 3
    for module in (normalize, query_forms):
        monkeypatch.setattr(module, "NORM_VERSION", "of-tomorrow")
    shards.land_shard(tmp_path, "query_forms", OPTIONS, _shard())
    versions = [row["norm_version"] for row in landed(tmp_path, "query_forms")]
    assert len(versions) == 6 and versions.count("of-tomorrow") == 3


@pytest.mark.parametrize("table", LANDED)
def test_rows_of_two_versions_are_two_rows(table):
    versions = {name for name in LANDED[table].schema.names if name.endswith("_version")}
    assert versions <= set(LANDED[table].key)


def test_an_evaluation_set_is_landed_again_under_a_new_version(tmp_path):
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": "one", "problem": "Find the last digit of $7^{2023}$."}\n')
    home = tmp_path / "home"
    land = ("land", "evaluation_items", "--evaluation", f"contest={items}")
    Warehouse(home).create()
    old = pa.RecordBatch.from_pylist(
        [{"eval_set": "contest", "item_id": "one", "text": "as it was", "norm_version": "of-yesterday"}],
        schema=pa.schema([name for name in LANDED["evaluation_items"].schema if name.name != "landed_at"]),
    )
    Warehouse(home).land("evaluation_items", "old", [old], {})
    for _ in range(2):
        result = cli(home, *land)
        assert result.returncode == 0, said(result)
    versions = sorted(row["norm_version"] for row in landed(home, "evaluation_items"))
    assert versions == sorted([normalize.NORM_VERSION, "of-yesterday"])
