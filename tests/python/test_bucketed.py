"""The materialization `bucketed`: the rows of a table, made range by range, and what a kill between ranges leaves."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mathpinpoint.warehouse import Warehouse

REPO = Path(__file__).resolve().parents[2]
HEAD = """{{{{ config(materialized='bucketed', bucket_by='id', bucket_of='numbers', bucket_rows={rows}) }}}}"""
# A grouping and a window over the column of the ranges, and texts that a range must not cut in two.
SELECT = """
with grouped as (select id, digit, count(*) as n from {{ ref('numbers') }} group by id, digit)
select grouped.*, row_number() over (partition by id order by n desc, digit) as place
from grouped cross join (select 'it''s' as note)
"""
NUMBERS = """{{ config(materialized='table') }}
select 'id-' || cast(n % 97 as varchar) || '''' as id, n * n % 11 as digit from range(5000) as numbers(n)"""
ROWS = "select md5(string_agg(id || digit || n || place, '|' order by id, digit)), count(*) from main.{}"


@pytest.fixture
def project(tmp_path):
    """A project of three models: the rows that are shared out, the table, and the same made in ranges."""
    folder = tmp_path / "project"
    (folder / "models").mkdir(parents=True)
    (folder / "seeds" / "policy").mkdir(parents=True)
    shutil.copytree(REPO / "macros", folder / "macros")
    (folder / "macros" / "schema_names.sql").unlink()
    shutil.copy(REPO / "profiles.yml", folder)
    (folder / "dbt_project.yml").write_text("name: small\nprofile: mathpinpoint\n")
    (folder / "seeds" / "policy" / "depths.csv").write_text("depth\n1\n")
    (folder / "models" / "numbers.sql").write_text(NUMBERS)
    (folder / "models" / "whole.sql").write_text("{{ config(materialized='table') }}" + SELECT)
    write_parts(folder, rows=900)
    return folder


def write_parts(project, *, rows, select=SELECT):
    (project / "models" / "parts.sql").write_text(HEAD.format(rows=rows) + select)


@pytest.fixture
def home(tmp_path):
    warehouse = Warehouse(tmp_path / "home")
    warehouse.create()
    return warehouse.home


def built(home, project):
    """Build it in this process; gives the statements that filled ranges."""
    seen = []
    Warehouse(home, project=project).build(on_event=lambda event: (
        seen.append(event.data.sql) if event.info.name == "SQLQuery" else None
    ))
    return [sql for sql in seen if "parts__building" in sql and "as whole" in sql]


def killed(home, project, text, count):
    """Build it in a process that kills itself at the count-th statement holding the text."""
    process = subprocess.run(
        [sys.executable, Path(__file__).with_name("kill_buckets.py"), home, project, text, str(count)],
        env=os.environ, capture_output=True, text=True, timeout=120,
    )
    assert process.returncode == -signal.SIGKILL, process.stderr[-2000:]


def assert_same(home, project):
    warehouse = Warehouse(home, project=project)
    (parts,), (whole,) = (warehouse.execute(ROWS.format(table)) for table in ("parts", "whole"))
    assert parts == whole and parts[1] > 500
    names = warehouse.execute("select table_name from information_schema.tables where table_name like 'parts%'")
    assert names == [("parts",)]


def test_ranges_hold_the_rows_of_one_statement_and_few_rows_are_one_statement(home, project):
    assert len(built(home, project)) == 6  # 5000 rows, 900 a range
    assert_same(home, project)
    write_parts(project, rows=5000)
    assert len(built(home, project)) == 1
    assert_same(home, project)


@pytest.mark.parametrize(("text", "count", "n_done"), [
    ("insert into \"warehouse\".\"main\".\"parts__buckets", 3, 2),  # the third is made and not committed
    ("\"parts__building\" rename to", 1, 6),  # all are made, and nothing is the table yet
])
def test_a_killed_build_goes_on_after_the_last_range_that_it_committed(home, project, text, count, n_done):
    killed(home, project, text, count)
    left = Warehouse(home, project=project)
    assert left.execute("select count(*) from main.parts__buckets") == [(n_done,)]
    assert len(built(home, project)) == 6 - n_done
    assert_same(home, project)


def test_a_killed_build_starts_anew_where_its_select_changed(home, project):
    killed(home, project, "insert into \"warehouse\".\"main\".\"parts__buckets", 3)
    for name in ("whole", "parts"):
        path = project / "models" / f"{name}.sql"
        path.write_text(path.read_text().replace("order by n desc", "order by n"))
    assert len(built(home, project)) == 6
    assert_same(home, project)
