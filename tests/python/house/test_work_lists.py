"""The project builds on an empty home, and its work lists are what the loaders read."""

import pytest

from mathpinpoint.schemas import LANDED, WORK

DUCKDB = {"string": "VARCHAR", "int64": "BIGINT", "binary": "BLOB", "double": "DOUBLE"}


def test_an_empty_home_builds_with_every_data_test_and_unit_test(empty_home):
    assert empty_home.execute("select count(*) from corpus.pages") == [(0,)]
    assert empty_home.execute("select count(*) from release.judgments") == [(0,)]


@pytest.mark.parametrize("table", WORK)
def test_a_work_list_has_the_columns_that_its_loader_reads(empty_home, table):
    columns = empty_home.execute(
        "select column_name, data_type from duckdb_columns() where table_name = ? order by column_index",
        [f"pending_{table}"],
    )
    assert columns == [(field.name, DUCKDB[str(field.type)]) for field in WORK[table]]


@pytest.mark.parametrize("table", LANDED)
def test_every_landed_table_can_be_read_in_the_warehouse(empty_home, table):
    assert empty_home.execute(f"select count(*) from landed.{table}") == [(0,)]


def test_every_pending_model_is_a_work_list(project):
    pending = {path.stem.removeprefix("pending_") for path in (project / "models").rglob("pending_*.sql")}
    assert pending - {"costs"} == set(WORK)
