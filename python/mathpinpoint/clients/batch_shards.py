"""What is handed in to a Batch API, on the disk before it is: an intent outlives a kill, and so does its batch's id.

A folder `<table>.batches/` beside the journal: `log.jsonl`, one fsynced line an event (intended, submitted, fetched,
finished), and of each open shard `<sha256>.jsonl` (the bytes that are uploaded), `<sha256>.rows.jsonl` (the conditions
of each request), and once fetched `<sha256>.output.jsonl` and `<sha256>.errors.jsonl`. The journal's lock guards it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mathpinpoint.clients.batch_api import ENDPOINT, sha256_of
from mathpinpoint.clients.journal import Key, sync_folder

KINDS = (".jsonl", ".rows.jsonl", ".output.jsonl", ".errors.jsonl")


@dataclass(frozen=True)
class Shard:
    """An open shard: handed in or about to be, and not yet journalled."""

    folder: Path
    sha256: str
    role: str
    base_url: str
    n_requests: int
    batch_id: str | None = None
    batch: dict[str, Any] | None = None  # as it ended, once its results are on the disk

    def file(self, kind: str) -> Path:
        return self.folder / (self.sha256 + kind)

    def conditions(self) -> dict[str, dict[str, Any]]:
        """The conditions of each request, by its key."""
        return {row["request_key"]: row["conditions"] for row in lines(self.file(".rows.jsonl"))}

    def keys(self) -> set[Key]:
        return {(key, conditions["attempt"]) for key, conditions in self.conditions().items()}


class BatchShards:
    """The open shards of a table, and the ids of all its batches ever; `fruitless` is for who asks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.fruitless = folder, 0
        self.open: dict[str, Shard] = {}
        self.batch_ids: set[str] = set()
        log = folder / "log.jsonl"
        for event in lines(log):
            self._apply(event)
        if log.exists():  # a torn last line, left by a kill
            os.truncate(log, log.read_bytes().rfind(b"\n") + 1)

    def of_role(self, role: str) -> list[Shard]:
        """The open shards that a role of the profile answers, in the order in which they were made."""
        return [shard for shard in self.open.values() if shard.role == role]

    def intend(self, planned: Iterable[tuple[str, dict, dict]], role: str, base_url: str) -> Shard:
        """Write down (request_key, body, conditions) of each request; all of it is on the disk when this returns."""
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / "new.part"
        with beside.open("wb") as requests, (self.folder / "new.rows.part").open("wb") as rows:
            n_requests = 0
            for key, body, conditions in planned:
                requests.write(request_line(key, body))
                rows.write(json.dumps({"request_key": key, "conditions": conditions}).encode() + b"\n")
                n_requests += 1
            for file in (requests, rows):
                file.flush()
                os.fsync(file.fileno())
        sha256 = sha256_of(beside)
        beside.rename(self.folder / f"{sha256}.jsonl")
        (self.folder / "new.rows.part").rename(self.folder / f"{sha256}.rows.jsonl")
        event = {"event": "intended", "sha256": sha256, "role": role, "base_url": base_url, "n_requests": n_requests}
        self.note(**event)
        return self.open[sha256]

    def note(self, **event: Any) -> None:
        """Add an event to the log; it is on the disk when this returns."""
        with (self.folder / "log.jsonl").open("ab") as log:
            log.write(json.dumps(event).encode() + b"\n")
            log.flush()
            os.fsync(log.fileno())
        sync_folder(self.folder)
        self._apply(event)

    def finish(self, shard: Shard, outcome: str, **counts: int) -> None:
        """Note what became of a shard, then delete its files."""
        self.note(event="finished", sha256=shard.sha256, batch_id=shard.batch_id, outcome=outcome, **counts)
        for kind in KINDS:
            shard.file(kind).unlink(missing_ok=True)

    def _apply(self, event: dict[str, Any]) -> None:
        sha256 = event["sha256"]
        if event["event"] == "intended":
            values = {name: event[name] for name in ("role", "base_url", "n_requests")}
            self.open[sha256] = Shard(self.folder, sha256, **values)
        elif event["event"] == "submitted":
            self.batch_ids.add(event["batch_id"])
            self.open[sha256] = replace(self.open[sha256], batch_id=event["batch_id"])
        elif event["event"] == "fetched":
            self.open[sha256] = replace(self.open[sha256], batch=event["batch"])
        else:
            self.open.pop(sha256, None)


def request_line(key: str, body: dict[str, Any]) -> bytes:
    """A request as a line of the uploaded file; ASCII, so that nothing but its end passes for a line's end."""
    line = {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def lines(path: Path) -> Iterator[Any]:
    """The JSON values of a file's lines; none where it is not there, and a last line that is not whole is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line)
