"""What dbt is told of DuckDB."""

from pathlib import Path

import duckdb
import pytest
import yaml

PROFILE = Path(__file__).resolve().parents[2] / "profiles.yml"


def test_the_folder_to_spill_to_is_given_once(tmp_path):
    """dbt gives its settings again at each statement; DuckDB refuses this one once something was spilled."""
    output = yaml.safe_load(PROFILE.read_text())["mathpinpoint"]["outputs"]["duckdb"]
    assert "temp_directory" in output["config_options"] and "temp_directory" not in output["settings"]
    config = {"memory_limit": "60MB", "threads": "1", "temp_directory": str(tmp_path / "spill")}
    with duckdb.connect(str(tmp_path / "one.duckdb"), config=config) as connection:
        connection.execute("set preserve_insertion_order = false")
        texts = "select md5(range::varchar) as text from range(1500000) order by text"
        connection.execute(f"create table numbers as {texts}")
        with pytest.raises(duckdb.Error, match="after the current one has been used"):
            connection.execute(f"set temp_directory = '{tmp_path / 'spill'}'")
        assert connection.cursor().execute("select count(*) from numbers").fetchall() == [(1_500_000,)]
