"""The journal of LLM replies: what is in it is never asked again, and outlives a kill.

A journal is an append-only file of JSON lines, `<name>`, beside it `<name>.lock`. It is sealed by
renaming it to `<name>.<16 hex of its sha256>.sealing`, writing its rows into a shard, and only
then deleting it.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from mathpinpoint.locks import hold
from mathpinpoint.schemas import LLM_REPLY

SCHEMA = LLM_REPLY.remove(LLM_REPLY.get_field_index("landed_at"))
BATCH_ROWS = 1000
Key = tuple[str, int]  # request_key, attempt
WriteShard = Callable[[Iterator[pa.RecordBatch]], None]


class Journal:
    """An open journal; one process at a time holds it. Raises locks.Busy naming the other's PID.

    A row has the columns of SCHEMA; `sent_at` is an integer, microseconds since 1970 (UTC).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = hold(path.with_name(path.name + ".lock"), str(path))
        self._open()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file and of the lock."""
        os.close(self._file)
        os.close(self._lock)

    def keys(self) -> frozenset[Key]:
        """The (request_key, attempt) of every row that waits to be sealed."""
        return frozenset(self._keys)

    def __contains__(self, key: Key) -> bool:
        return key in self._keys

    def append(self, row: dict[str, Any]) -> None:
        """Add one row; it is on the disk when this returns."""
        self.extend([row])

    def extend(self, rows: list[dict[str, Any]]) -> None:
        """Add rows with one fsync; all are on the disk when this returns, none is if it raises."""
        lines = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
        try:
            written = 0
            while written < len(lines):
                written += os.write(self._file, lines[written:])
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._end)
            why = f"{error.strerror} while writing {self.path}; every reply before is kept"
            raise OSError(error.errno, f"{why}. Make room, then run again.") from None
        self._end += len(lines)
        self._keys.update((row["request_key"], row["attempt"]) for row in rows)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, ordered by request_key and attempt."""
        return _rows(self.path)

    def seal(self, write_shard: WriteShard) -> None:
        """Hand over all rows, ordered by (request_key, attempt), and start an empty journal.

        They are deleted here only after `write_shard` returned. After a kill in between, `recover`
        hands over the same rows in the same order: name the shard by its content.
        """
        if not self._end:
            return
        with self.path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        sealing = self.path.with_name(f"{self.path.name}.{sha256[:16]}.sealing")
        os.close(self._file)
        os.rename(self.path, sealing)
        self._open()
        _hand_over(sealing, write_shard)

    def recover(self, write_shard: WriteShard) -> None:
        """Seal what an earlier run left: first what it was sealing, then its journal."""
        for sealing in sorted(self.path.parent.glob(f"{self.path.name}.*.sealing")):
            _hand_over(sealing, write_shard)
        self.seal(write_shard)

    def _open(self) -> None:
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        sync_folder(self.path.parent)
        index = list(_index(self.path))
        self._keys = {key for key, _, _ in index}
        self._end = max((start + length for _, start, length in index), default=0)
        os.ftruncate(self._file, self._end)  # a torn last line, left by a kill


def batches(rows: Iterable[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Turn rows into record batches of SCHEMA."""
    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == BATCH_ROWS:
            yield pa.RecordBatch.from_pylist(waiting, schema=SCHEMA)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, schema=SCHEMA)


def _hand_over(sealing: Path, write_shard: WriteShard) -> None:
    write_shard(batches(_rows(sealing)))
    sealing.unlink()
    sync_folder(sealing.parent)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    places = {key: (start, length) for key, start, length in _index(path)}
    with path.open("rb") as file:
        for _, (start, length) in sorted(places.items()):
            file.seek(start)
            yield json.loads(file.read(length))


def _index(path: Path) -> Iterator[tuple[Key, int, int]]:
    """Key, start and length of each line; a last line that is not whole is left out."""
    start = 0
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
                key = (row["request_key"], row["attempt"])
            except (ValueError, TypeError, KeyError):
                if start + len(line) == size:
                    return
                raise ValueError(
                    f"{path}: line {number} is damaged, and it is not the last one. Move that line "
                    "to another file, then run again: only its request is asked anew."
                ) from None
            if not line.endswith(b"\n"):
                return
            yield key, start, len(line)
            start += len(line)


def sync_folder(folder: Path) -> None:
    """Make names made or gone in a folder last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
