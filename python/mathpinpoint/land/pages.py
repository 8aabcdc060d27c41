"""Captures of pages: what the user names, folder by folder, as raw bytes."""

import csv
import hashlib
import os
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import zstandard

from mathpinpoint.land.page_files import (
    Capture,
    Reading,
    Skipped,
    TooLarge,
    UnpacksTooMuch,
    reader_of,
)
from mathpinpoint.schemas import LANDED

_UNREADABLE = (
    OSError, EOFError, UnicodeError, pa.ArrowException, csv.Error, zlib.error, zstandard.ZstdError,
)
_REASONS = {TooLarge: "too_large", UnpacksTooMuch: "unpacks_too_much"}
_COLUMNS = pa.schema([c for c in LANDED["pages"].schema if c.name != "landed_at"])


def captures(
    paths: Iterable[Path],
    *,
    text_column: str | None,
    landed: Collection[tuple[str, str]],
    skipped: list[Skipped],
    max_page_bytes: int,
    max_ratio: float,
    batch_rows: int,
    batch_bytes: int,
) -> Iterator[pa.RecordBatch]:
    """Reads the files that the user names. Lands the captures whose (page_id, source) is new.

    Files are read in the order of their names. What cannot be read is appended to `skipped`,
    never raised: a page of more than `max_page_bytes`, a packed file that unpacks to more than
    `max_ratio` times its size. A batch closes at `batch_rows` rows or `batch_bytes` bytes. Raises
    FileNotFoundError for a path that is not there, ValueError for a table without a text column.
    """
    reading = Reading(text_column, max_page_bytes, max_ratio, skipped)
    paths = list(paths)
    taken: set[tuple[str, str]] = set()  # used where two named folders may hold the same names
    rows: list[dict] = []
    n_bytes = 0
    for capture in _captures(paths, reading):
        key = ("p_" + hashlib.sha256(capture.raw).hexdigest()[:24], capture.source)
        if key in landed or key in taken:
            continue
        if len(paths) > 1:
            taken.add(key)
        rows.append({"page_id": key[0], **vars(capture), "n_bytes": len(capture.raw)})
        n_bytes += len(capture.raw)
        if len(rows) >= batch_rows or n_bytes >= batch_bytes:
            yield pa.RecordBatch.from_pylist(rows, schema=_COLUMNS)
            rows, n_bytes = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=_COLUMNS)


def _captures(paths: Iterable[Path], reading: Reading) -> Iterator[Capture]:
    for source, path in _files(paths, reading.skipped):
        try:
            reader = reader_of(path) if path.is_file() else None  # a pipe would be waited for
            if reader is None:
                detail = path.suffix.lower() if path.is_file() else "no regular file"
                reading.skipped.append(Skipped(source, "other_kind", detail))
                continue
            n_before, is_empty = len(reading.skipped), True
            for capture in reader(path, source, reading):
                is_empty = False
                yield capture
            if is_empty and len(reading.skipped) == n_before:
                reading.skipped.append(Skipped(source, "empty", "nothing is in it"))
        except (*_UNREADABLE, *_REASONS) as error:
            reason = _REASONS.get(type(error), "unreadable")
            reading.skipped.append(Skipped(source, reason, str(error)))


def _files(paths: Iterable[Path], skipped: list[Skipped]) -> Iterator[tuple[str, Path]]:
    """Yields (source, file): every file named, and those of every folder named."""
    for named in map(Path, paths):
        if named.is_file():
            yield _name(named.name), named
        elif named.is_dir():
            yield from _walk(named, skipped)
        else:
            raise FileNotFoundError(f"{named} is not there. Name a folder or a file of pages.")


def _walk(root: Path, skipped: list[Skipped]) -> Iterator[tuple[str, Path]]:
    """Yields (source, file) of a folder's tree, sorted; a link that leaves the folder is skipped."""

    def unreadable(error: OSError) -> None:
        skipped.append(Skipped(_name(str(error.filename)), "unreadable", str(error.strerror)))

    for folder, folders, names in os.walk(root, onerror=unreadable):
        folders.sort()
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted(names + linked):
            path = Path(folder) / name
            source = _name(path.relative_to(root).as_posix())
            if path.is_symlink() and not _stays(path, root):
                skipped.append(Skipped(source, "outside_link", _name(str(path.readlink()))))
            else:
                yield source, path


def _stays(link: Path, root: Path) -> bool:
    return link.is_file() and link.resolve().is_relative_to(root.resolve())


def _name(name: str) -> str:
    """A file's name as valid text: bytes that are no UTF-8 become `\\xNN`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
