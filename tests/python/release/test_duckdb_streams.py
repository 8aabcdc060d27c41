"""Releases written from DuckDB, whose streams have types and batches of their own."""

import duckdb
import made
import pytest

from mathpinpoint.release.verify import verify_release


def openers(found: dict, connection: duckdb.DuckDBPyConnection, rows: int) -> dict:
    def opener(config: str):
        keys = "qid, did" if config == "judgments" else "qid" if config == "queries" else "did"
        sql = f"select * from {config} order by {keys}"
        return lambda: connection.sql(sql).to_arrow_reader(rows)

    for config, table in found.items():
        connection.register("given", table)
        connection.execute(f"create table {config} as select * from given")
    return {config: opener(config) for config in found}


@pytest.mark.parametrize("threads, rows", [(1, 100_000), (2, 2_048), (2, 9)])
def test_threads_and_batches_of_duckdb_change_no_byte(tmp_path, threads, rows):
    expected = made.contents(made.write(tmp_path / "arrow"))
    with duckdb.connect(config={"threads": threads}) as connection:
        tables = openers(made.tables(), connection, rows)
        folder = made.write_release(
            tmp_path / "duckdb", tables, made.FACTS,
            rows_per_shard=made.SHARDS, row_group_rows=made.GROUPS,
        )
    assert made.contents(folder) == expected
    assert verify_release(folder) == []
