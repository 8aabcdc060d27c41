"""Importing a published release: its rows landed under a name, then judged and cut anew by SQL."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.locks import hold
from mathpinpoint.release.importer import SOURCES, import_release
from mathpinpoint.release.layout import CONFIGS, SUMS, ReleaseError, read_sums
from mathpinpoint.warehouse import Warehouse, WarehouseError, sha256_file

COUNTS = """
select
    (select count(*) from staging.stg_imported_documents where release = $name) as documents,
    (select count(*) from staging.stg_imported_queries where release = $name) as queries,
    count(*) as judgments,
    count(*) filter (where is_changed) as changed,
    (select policy from staging.active_policy) as policy,
    (select count(*) from training.imported_rows where release = $name) as training_rows
from judging.imported_labels where release = $name
"""


def land_release(warehouse: Warehouse, folder: Path, name: str) -> str:
    """Land the release in `folder` as `name`, build, and say what is there; landing it twice changes nothing.

    Raises WarehouseError where `name` is taken by other content, ReleaseError where `folder` is no release, Busy
    where another process writes to the home.
    """
    lock = hold(warehouse.home / "run.lock", str(warehouse.home))
    try:
        land(warehouse, folder, name)
        warehouse.build("--exclude-resource-type", "unit_test")
    finally:
        os.close(lock)
    return counted(warehouse, name)


def land(warehouse: Warehouse, folder: Path, name: str) -> None:
    """Check all of the release, then land its tables, the judgments last."""
    warehouse.create()
    tables = import_release(folder)
    digests = {config: [(path, sha256_file(path)) for path in release_files(folder, config)] for config in CONFIGS}
    refuse_damaged(folder, digests)
    for config in CONFIGS:
        refuse_repeats(folder, config)
    shards = {table: content_shard(digests[SOURCES[table][0]], name) for table in tables}
    for table, shard in shards.items():
        refuse_other(warehouse, table, shard, name)
    for table, batches in tables.items():
        manifest = {"input_sha256": shards[table], "release": name}
        warehouse.land(table, shards[table], renamed(batches, name), manifest)


def refuse_damaged(folder: Path, digests: dict[str, list[tuple[Path, str]]]) -> None:
    """Raise where a shard is not what the release's own checksums say; a release without them is taken as it is."""
    if not (folder / SUMS).is_file():
        return
    told = read_sums(folder)
    for path, digest in (one for found in digests.values() for one in found):
        if told.get(path.relative_to(folder.resolve()).as_posix()) != digest:
            raise ReleaseError(f"{path} is not the file that {SUMS} names. Run `mathpinpoint verify {folder}`.")


def refuse_repeats(folder: Path, config: str) -> None:
    """Raise where a key of the config comes twice: nothing is landed of such a release."""
    key = ", ".join(CONFIGS[config].key)
    try:
        found = duckdb.execute(
            f"select {key}, count(*) from read_parquet($files) group by {key} having count(*) > 1 order by all limit 1",
            {"files": [str(path) for path in release_files(folder, config)]},
        ).fetchone()
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise ReleaseError(
            f"{folder / config} cannot be read ({first}). Run `mathpinpoint verify {folder}`."
        ) from error
    if found:
        *ids, count = found
        raise ReleaseError(
            f"{folder / config}: {key} = {', '.join(map(str, ids))} stands in {count} rows. "
            f"Run `mathpinpoint verify {folder}`."
        )


def release_files(folder: Path, config: str) -> list[Path]:
    """The config's shards in the order in which the importer reads them."""
    found = folder.resolve().joinpath(config).rglob("*.parquet")
    return sorted(path for path in found if not path.name.startswith((".", "_")))


def content_shard(digests: list[tuple[Path, str]], name: str) -> str:
    """32 hex digits over the release's name and the content of its files for one table."""
    content = [(path.name, digest) for path, digest in digests]
    return hashlib.sha256(json.dumps([name, content]).encode()).hexdigest()[:32]


def refuse_other(warehouse: Warehouse, table: str, shard: str, name: str) -> None:
    """Raise where another shard of this table holds a release of the same name."""
    for path in (warehouse.landed / table).glob("[!.]*.parquet"):
        landed = json.loads((pq.read_metadata(path).metadata or {}).get(b"manifest", b"{}"))
        if landed.get("release") == name and path.stem != shard:
            raise WarehouseError(
                f"landed.{table} holds another release named {name!r} ({path.name}). "
                "Give this one a name of its own: `mathpinpoint import DIR --name NAME`."
            )


def renamed(batches: Iterator[pa.RecordBatch], name: str) -> Iterator[pa.RecordBatch]:
    """The batches with `name` as their release."""
    for batch in batches:
        place = batch.schema.get_field_index("release")
        yield batch.set_column(place, "release", pa.array([name] * batch.num_rows, pa.string()))


def counted(warehouse: Warehouse, name: str) -> str:
    row = warehouse.table(COUNTS, {"name": name}).to_pylist()[0]
    return (
        f"{name}: {row['documents']:,} documents, {row['queries']:,} queries, {row['judgments']:,} judgments.\n"
        f"Under policy {row['policy']}, {row['changed']:,} labels differ from the released ones "
        f"(judging.imported_labels) and {row['training_rows']:,} queries give a training row (training.imported_rows)."
    )
