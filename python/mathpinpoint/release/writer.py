"""Write a release: ordered streams in, a folder of Parquet shards, card and checksums out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.release.card import card, features
from mathpinpoint.release.croissant import croissant
from mathpinpoint.release.layout import (
    CARD,
    CONFIGS,
    CROISSANT,
    ReleaseError,
    Written,
    sha256_file,
    shard_name,
)
from mathpinpoint.release.staging import staged

PARQUET = {
    "compression": "zstd",
    "compression_level": 3,
    "write_page_checksum": True,
    "write_page_index": True,
    "version": "2.6",
}


def write_release(
    folder: Path,
    tables: dict[str, Callable[[], pa.RecordBatchReader]],
    facts: dict,
    *,
    rows_per_shard: dict[str, int],
    row_group_rows: dict[str, int],
    replace: bool = False,
) -> Path:
    """Write the configs corpus, queries and judgments to `folder`, whole or not at all.

    `tables` opens each config's stream, ordered by its key; `facts` is what `card` needs. The
    bytes depend on the rows and the two sizes only, not on the stream's batches; at most one row
    group is held. Raises ReleaseError for missing columns, and for a folder of other content
    unless `replace`.
    """
    with staged(folder, replace=replace) as staging:
        written = [
            _write_config(
                staging, config, tables[config](), rows_per_shard[config], row_group_rows[config]
            )
            for config in CONFIGS
        ]
        (staging / CARD).write_text(card(written, facts), "utf-8")
        (staging / CROISSANT).write_text(croissant(written, facts), "utf-8")
    return folder


def _write_config(
    staging: Path, config: str, reader: pa.RecordBatchReader, shard_rows: int, group_rows: int
) -> Written:
    schema = _plain_schema(config, reader.schema)
    (staging / config).mkdir()
    parts: list[Path] = []
    writer, n_rows = None, 0
    try:
        for shard, group in _row_groups(reader, schema, shard_rows, group_rows):
            if shard == len(parts):
                if writer:
                    writer.close()
                parts.append(staging / config / f"part-{shard}")
                writer = pq.ParquetWriter(parts[-1], schema, **PARQUET)
            if group.num_rows:  # loaders trip over a row group of 0 rows
                writer.write_table(group, row_group_size=group.num_rows)
            n_rows += group.num_rows
    finally:
        if writer:
            writer.close()
    return _described(staging, config, schema, parts, n_rows)


def _row_groups(
    reader: pa.RecordBatchReader, schema: pa.Schema, shard_rows: int, group_rows: int
) -> Iterator[tuple[int, pa.Table]]:
    """(shard, row group) of the same rows however the stream is batched; one of 0 rows if empty."""
    held, n_held, n_done = [], 0, 0
    for batch in reader:
        while batch.num_rows:
            size = min(group_rows, shard_rows - n_done % shard_rows)
            part = batch.slice(0, size - n_held)
            held, n_held, batch = [*held, part], n_held + part.num_rows, batch.slice(part.num_rows)
            if n_held == size:
                yield n_done // shard_rows, _table(held, reader.schema, schema)
                held, n_held, n_done = [], 0, n_done + size
    if held or not n_done:
        yield n_done // shard_rows, _table(held, reader.schema, schema)


def _table(batches: list[pa.RecordBatch], given: pa.Schema, schema: pa.Schema) -> pa.Table:
    return pa.Table.from_batches(batches, schema=given).cast(schema).combine_chunks()


def _plain_schema(config: str, given: pa.Schema) -> pa.Schema:
    """The stream's columns, types without engine-specific variants, all nullable, no metadata."""
    needed = CONFIGS[config].columns
    missing = [name for name in needed if name not in given.names]
    if missing:
        raise ReleaseError(
            f"The stream of {config} lacks {', '.join(missing)}. "
            f"Needed: {', '.join(needed)}. Given: {', '.join(given.names)}."
        )
    return pa.schema([pa.field(field.name, _plain(field.type)) for field in given])


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind


def _described(
    staging: Path, config: str, schema: pa.Schema, parts: list[Path], n_rows: int
) -> Written:
    """Give the shards their final names, now that their number is known, and describe them."""
    shards, n_bytes, n_file_bytes = {}, 0, 0
    for number, part in enumerate(parts):
        name = shard_name(config, number, len(parts))
        path = part.rename(staging / name)
        metadata = pq.read_metadata(path)
        n_bytes += sum(
            metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)
        )
        n_file_bytes += path.stat().st_size
        shards[name] = sha256_file(path)
    return Written(config, features(schema), n_rows, n_bytes, n_file_bytes, shards)
