"""The contract of the landed tables is written three times: in Python, for dbt, and as staging views."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

from mathpinpoint.schemas import LANDED, WORK

STAGING = Path(__file__).resolve().parents[2] / "models" / "staging"
DUCKDB = {
    "string": "varchar", "int64": "bigint", "double": "double", "bool": "boolean", "binary": "blob",
    "timestamp[us, tz=UTC]": "timestamp with time zone", "float": "float",
}


def duckdb_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"{duckdb_type(kind.value_type)}[]"
    return DUCKDB[str(kind)]


@pytest.fixture(scope="module")
def sources() -> dict:
    (landed,) = yaml.safe_load((STAGING / "sources.yml").read_text())["sources"]
    return {table["name"]: table for table in landed["tables"]}


def test_sources_are_the_landed_tables(sources):
    assert list(sources) == list(LANDED)


@pytest.mark.parametrize("name", LANDED)
def test_a_source_has_the_columns_and_the_grain_of_its_table(sources, name):
    assert sources[name]["description"] == LANDED[name].grain
    columns = [(column["name"], column["data_type"].lower()) for column in sources[name]["columns"]]
    assert columns == [(field.name, duckdb_type(field.type)) for field in LANDED[name].schema]


@pytest.mark.parametrize("name", LANDED)
def test_a_staging_view_shows_every_column_and_tests_the_key(name):
    sql = (STAGING / f"stg_{name}.sql").read_text()
    selected = re.search(r"^select\n(.*)\nfrom ", sql, re.DOTALL | re.MULTILINE).group(1)
    assert [line.strip(" ,") for line in selected.splitlines()] == LANDED[name].schema.names
    (model,) = yaml.safe_load((STAGING / f"stg_{name}.yml").read_text())["models"]
    assert {"unique_combination": {"arguments": {"columns": list(LANDED[name].key)}}} in model["data_tests"]


@pytest.mark.parametrize("name", LANDED)
def test_a_landed_table_ends_with_its_time_and_is_keyed_by_its_columns(name):
    assert LANDED[name].schema.names[-1] == "landed_at"
    assert set(LANDED[name].key) <= set(LANDED[name].schema.names)


def test_every_work_list_is_of_a_landed_table():
    assert set(WORK) <= set(LANDED)
