"""The warehouse: landed Parquet shards, the DuckDB file that dbt builds over them, and dbt itself.

Loaders only ever write shards; `warehouse.duckdb` is written by dbt alone and can be deleted at any time.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.schemas import LANDED

MINIMUM_DUCKDB = (2, 0, 1)
QUIET = ("--log-level", "none", "--no-use-colors", "--no-print")
NAMED_TAG = "named"
STRICT = ("--warn-error-options", '{"error": ["NoNodesForSelectionCriteria"]}')


class WarehouseError(Exception):
    """What is wrong, where, and the next command."""


def project_folder() -> Path:
    """The dbt project: MATHPINPOINT_PROJECT, else the checkout that holds this package."""
    named = os.environ.get("MATHPINPOINT_PROJECT")
    folder = Path(named) if named else Path(__file__).resolve().parents[2]
    if not (folder / "dbt_project.yml").is_file():
        raise WarehouseError(
            f"{folder} holds no dbt_project.yml. Set MATHPINPOINT_PROJECT to a checkout of the project."
        )
    return folder


def sha256_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Warehouse:
    """One home folder: `landed/`, `journal/`, `models/`, `releases/` and `warehouse.duckdb`."""

    def __init__(self, home: Path, project: Path | None = None, file: str = "warehouse.duckdb"):
        found = tuple(int(part) for part in duckdb.__version__.split(".")[:3] if part.isdigit())
        if found < MINIMUM_DUCKDB:
            raise WarehouseError(
                f"duckdb {duckdb.__version__} is too old. Run `pip install 'duckdb>=2.0.1'`."
            )
        self.home = home.resolve()
        self.project = project or project_folder()
        self.landed = self.home / "landed"
        self.file = self.home / file
        self.manifest = None  # dbt's, once something was built

    def create(self) -> None:
        """Make the home folder, with every landed table there, empty; the caller has locked it.

        What a killed run was writing is removed.
        """
        for name, table in LANDED.items():
            folder = self.landed / name
            folder.mkdir(parents=True, exist_ok=True)
            for left in folder.glob(".*.tmp"):
                left.unlink()
            if not (folder / "empty.parquet").exists():
                write_shard(folder / "empty.parquet", table.schema, iter(()), {})
        for left in (self.home / "models").glob(".*"):
            shutil.rmtree(left)

    def land(
        self, table: str, shard: str, batches: Iterable[pa.RecordBatch], manifest: dict[str, str]
    ) -> int:
        """Write one shard of a landed table, durable before it is visible; a shard there already stays.

        `batches` have the table's columns without `landed_at`. Returns the number of rows written.
        """
        path = self.landed / table / f"{shard}.parquet"
        if path.exists():
            return 0
        schema = LANDED[table].schema
        return write_shard(path, schema, (stamped(batch, schema) for batch in batches), manifest)

    def has_landed(self, table: str) -> bool:
        """Is there a shard of the table besides the empty one?"""
        return any(path.name != "empty.parquet" for path in (self.landed / table).glob("*.parquet"))

    def execute(self, sql: str, parameters: list | None = None) -> list[tuple]:
        """Rows of one read-only statement."""
        with self.reading() as connection:
            return connection.execute(sql, parameters or []).fetchall()

    def table(self, sql: str, parameters: list | None = None) -> pa.Table:
        with self.reading() as connection:
            return connection.sql(sql, params=parameters).to_arrow_table()

    def stream(self, sql: str, rows: int) -> Iterator[pa.RecordBatch]:
        """Record batches of a read-only statement, the connection open until the last is taken."""
        with self.reading() as connection:
            yield from connection.sql(sql).to_arrow_reader(rows)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if not self.file.exists():
            raise WarehouseError(
                f"{self.file} is not built yet. Run `mathpinpoint run` or `dbt build`."
            )
        try:
            connection = duckdb.connect(str(self.file), read_only=True)
        except duckdb.IOException as error:
            raise self.unopened(error) from error
        try:
            connection.execute("set python_enable_replacements = false")
            connection.execute("set enable_progress_bar = false")
            yield connection
        except duckdb.Error:
            self.refuse_damaged()
            raise
        finally:
            connection.close()

    def refuse_damaged_file(self) -> None:
        """Raise WarehouseError where the file cannot be opened, but for a lock, which dbt waits for."""
        try:
            if self.file.exists():
                duckdb.connect(str(self.file), read_only=True).close()
        except duckdb.IOException as error:
            if "lock" not in str(error):
                raise self.unopened(error) from error

    def unopened(self, error: BaseException) -> WarehouseError:
        """What to do about a warehouse file that another process holds, or that is damaged."""
        why = str(error).strip().splitlines()[0]
        if "lock" in why:
            return WarehouseError(f"The warehouse is in use: {why}")
        return WarehouseError(
            f"{self.file} is damaged ({why}). It holds nothing that has not landed: delete it and "
            f"{self.file.name}.wal, then run the same command again."
        )

    def refuse_damaged(self) -> None:
        """Raise WarehouseError naming the first landed shard that is not whole, if there is one."""
        for path in sorted(self.landed.glob("*/[!.]*.parquet")):
            try:
                pq.read_metadata(path)
            except (OSError, pa.ArrowException) as error:
                raise WarehouseError(
                    f"{path} is not a whole Parquet file ({error}). Move it away, then run the "
                    "same command again: only what it held is landed anew."
                ) from error

    def build(self, *arguments: str, on_event: Callable | None = None) -> list:
        """Run dbt in this process (`build`, by default of everything); raises with what failed and where."""
        self.refuse_damaged_file()
        if not self.manifest:
            self.manifest = self._invoke("parse")
        return list(self._invoke("build", *arguments, on_event=on_event) or [])

    def build_named(self, names: Collection[str], *arguments: str) -> list:
        """Build these models and tests alone, once the project was parsed.

        dbt searches the whole project for each name that it is given: here they share a tag, which is one search.
        """
        for node in self.manifest.nodes.values():
            node.tags = [tag for tag in node.tags if tag != NAMED_TAG] + [NAMED_TAG] * (node.name in names)
        return self.build("--select", f"tag:{NAMED_TAG}", *arguments)

    def _invoke(self, command: str, *arguments: str, on_event: Callable | None = None) -> Any:
        """The result of a dbt command; the project is parsed once for this object."""
        from dbt.adapters.duckdb.connections import DuckDBConnectionManager
        from dbt.cli.main import dbtRunner

        os.environ["MATHPINPOINT_HOME"] = str(self.home)
        os.environ["MATHPINPOINT_PROJECT"] = str(self.project)
        folders = {"project-dir": self.project, "profiles-dir": self.project, "target-path": self.home / "target"}
        options = [text for name, folder in folders.items() for text in (f"--{name}", str(folder))]
        runner = dbtRunner(manifest=self.manifest, callbacks=[on_event] if on_event else [])
        try:
            result = runner.invoke([*QUIET, *STRICT, command, *options, *arguments])
        finally:
            DuckDBConnectionManager.close_all_connections()
        if isinstance(result.exception, KeyboardInterrupt):
            raise KeyboardInterrupt
        if not result.success:
            if str(self.file) in str(result.exception):
                raise self.unopened(result.exception)
            self.refuse_damaged()
            raise WarehouseError(describe_failure(result))
        return result.result


def describe_failure(result) -> str:
    """The nodes that failed with their messages, or the exception of the run itself."""
    if result.exception or not result.result:
        return f"dbt could not run: {result.exception}"
    lines = [
        f"{row.node.original_file_path}: {row.node.name}: {row.message}"
        for row in result.result
        if row.status in ("error", "fail")
    ]
    return "The build failed.\n" + "\n".join(lines) + "\nMend it, then run the same command again."


def stamped(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch in the landed schema's order and types, with the time of landing."""
    now = pa.array([datetime.now(UTC)] * batch.num_rows, schema.field("landed_at").type)
    columns = [
        now if field.name == "landed_at" else batch.column(field.name).cast(field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def write_shard(
    path: Path, schema: pa.Schema, batches: Iterator[pa.RecordBatch], manifest: dict[str, str]
) -> int:
    """Write a Parquet file beside, fsync it, rename it, fsync the folder. Returns its rows."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    rows = 0
    with pq.ParquetWriter(beside, schema, compression="zstd") as writer:
        for batch in batches:
            rows += batch.num_rows
            writer.write_batch(batch)
        writer.add_key_value_metadata({"manifest": json.dumps({**manifest, "rows": rows})})
    for target in (beside, None):
        if target is None:
            os.replace(beside, path)
        descriptor = os.open(target or path.parent, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
    return rows


if __name__ == "__main__":
    Warehouse(Path(sys.argv[1] if len(sys.argv) > 1 else "build")).create()
