"""The names of shards: the same work lands once, and again when the code that did it changes."""

import pyarrow as pa
from homes import landed

from mathpinpoint import shards
from mathpinpoint.compute import normalize
from mathpinpoint.land import query_forms
from mathpinpoint.schemas import WORK
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
