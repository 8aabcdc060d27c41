"""Read a published release, so that its rows can be landed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.release.layout import ReleaseError
from mathpinpoint.schemas import LANDED

ROWS = 10_000  # rows read at a time

# For each landed table: its config, and the release's name of each column that differs.
SOURCES = {
    "imported_documents": (
        "corpus", {"doc_id": "did", "is_multi_problem": "multi_problem"},
    ),
    "imported_queries": (
        "queries",
        {
            "query_id": "qid", "source_doc_id": "source_did",
            "is_from_page_question": "from_page_question",
        },
    ),
    "imported_judgments": (
        "judgments",
        {
            "query_id": "qid", "doc_id": "did", "is_query_evaluable": "query_evaluable",
            "raw_score": "rm8b_score", "prompt_sha256": "rubric_sha256",
        },
    ),
}
REQUIRED = {"corpus": ("did", "text"), "queries": ("qid", "text"),
            "judgments": ("qid", "did", "label")}


def import_release(folder: Path) -> dict[str, Iterator[pa.RecordBatch]]:
    """The rows of imported_documents, imported_queries and imported_judgments, by table.

    Columns as in `LANDED`, without `landed_at`; `release` is the folder's name; columns that the
    release lacks are null. Raises ReleaseError, before any row is read, for a missing config or
    column, or a type that cannot become ours.
    """
    folder = folder.resolve()
    plans = {table: _plan(folder, table) for table in SOURCES}
    return {table: _rows(folder.name, table, files) for table, files in plans.items()}


def _plan(folder: Path, table: str) -> list[Path]:
    """The config's shards, each checked against what the landed table needs."""
    config, names = SOURCES[table]
    found = (folder / config).rglob("*.parquet")
    files = sorted(path for path in found if not path.name.startswith((".", "_")))
    if not files:
        raise ReleaseError(f"{folder / config} holds no Parquet file. Name a release's folder.")
    for path in files:
        try:
            given = pq.read_schema(path)
        except (pa.ArrowException, OSError) as error:
            raise ReleaseError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error
        missing = [name for name in REQUIRED[config] if name not in given.names]
        if missing:
            wanted = [names.get(field.name, field.name) for field in _wanted(table)]
            raise ReleaseError(
                f"{path} lacks {', '.join(missing)}. "
                f"A {config} file has {', '.join(wanted)}; this one has {', '.join(given.names)}."
            )
    return files


def _wanted(table: str) -> list[pa.Field]:
    ours = ("release", "landed_at")
    return [field for field in LANDED[table].schema if field.name not in ours]


def _rows(release: str, table: str, files: list[Path]) -> Iterator[pa.RecordBatch]:
    names = SOURCES[table][1]
    fields = _wanted(table)
    schema = pa.schema([pa.field("release", pa.string()), *fields])
    for path in files:
        with pq.ParquetFile(path) as file:
            theirs = [names.get(field.name, field.name) for field in fields]
            known = [name for name in theirs if name in file.schema_arrow.names]
            for batch in file.iter_batches(ROWS, columns=known):
                columns = [
                    _column(path, batch, name, field.type)
                    for name, field in zip(theirs, fields, strict=True)
                ]
                first = pa.array([release] * batch.num_rows, pa.string())
                yield pa.RecordBatch.from_arrays([first, *columns], schema=schema)


def _column(path: Path, batch: pa.RecordBatch, name: str, kind: pa.DataType) -> pa.Array:
    if name not in batch.schema.names:
        return pa.nulls(batch.num_rows, kind)
    column = batch.column(name)
    if pa.types.is_string(kind) and pa.types.is_nested(column.type):
        texts = [None if value is None else _json(value) for value in column.to_pylist()]
        return pa.array(texts, kind)
    try:
        return column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ReleaseError(
            f"{path}: column {name} is {column.type} and cannot become {kind}: "
            f"{str(error).splitlines()[0]}"
        ) from error


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
