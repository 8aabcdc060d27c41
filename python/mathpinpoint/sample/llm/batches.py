"""Files and batches, in memory: lines of requests in, files of replies and of errors out."""

import json
import time
from dataclasses import dataclass, field
from typing import Any

from .completions import Completions, RequestError, request_id
from .draws import draw
from .misbehave import Misbehaviour

ENDPOINT = "/v1/chat/completions"
_MAX_LINES = 50_000
_EXPIRED = "This request could not be executed before the completion window expired."


@dataclass(frozen=True)
class StoredFile:
    """An uploaded or written file."""

    id: str
    filename: str
    purpose: str
    content: bytes
    created_at: int

    def report(self) -> dict[str, Any]:
        """Give the file object of the API."""
        return {
            "id": self.id, "object": "file", "bytes": len(self.content), "filename": self.filename,
            "purpose": self.purpose, "created_at": self.created_at, "status": "processed",
        }  # fmt: skip


@dataclass
class _Written:
    output: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)


class Batches:
    """Keeps files and batches; a batch moves on when somebody looks at it."""

    def __init__(self, completions: Completions, misbehaviour: Misbehaviour, seed: int) -> None:
        self._completions = completions
        self._misbehaviour = misbehaviour
        self._seed = seed
        self.files: dict[str, StoredFile] = {}
        self.batches: dict[str, dict[str, Any]] = {}

    def add_file(self, filename: str, purpose: str, content: bytes) -> StoredFile:
        """Store a file under a new id."""
        name = f"file-{len(self.files) + 1:08d}"
        self.files[name] = StoredFile(name, filename, purpose, content, int(time.time()))
        return self.files[name]

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Start a batch over an uploaded file. Raises RequestError."""
        if body.get("input_file_id") not in self.files:
            raise RequestError(404, "not_found", f"No such file: {body.get('input_file_id')}")
        if body.get("endpoint") != ENDPOINT:
            raise RequestError(400, "invalid_endpoint", f"The endpoint must be {ENDPOINT}.")
        self._completions.counts.batches += 1
        name, now = f"batch_{len(self.batches) + 1:08d}", int(time.time())
        times = ("in_progress", "finalizing", "completed", "failed", "expired", "cancelling")
        self.batches[name] = {
            "id": name, "object": "batch", "endpoint": ENDPOINT, "errors": None,
            "input_file_id": body["input_file_id"], "status": "validating",
            "completion_window": body.get("completion_window", "24h"),
            "output_file_id": None, "error_file_id": None, "created_at": now,
            "expires_at": now + 86400, **{f"{kind}_at": None for kind in times},
            "cancelled_at": None, "metadata": body.get("metadata"),
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
        }  # fmt: skip
        return self.batches[name]

    def look(self, name: str) -> dict[str, Any]:
        """Give a batch, moved on by the time that has passed. Raises RequestError."""
        if name not in self.batches:
            raise RequestError(404, "not_found", f"No batch with id {name}")
        batch = self.batches[name]
        if batch["status"] == "validating":
            self._validate(batch)
        seconds = self._misbehaviour.setting("batch_seconds")
        if batch["status"] == "in_progress" and time.time() >= batch["created_at"] + seconds:
            is_late = self._misbehaviour.happens("batch_expired", name)
            self._finish(batch, "expired" if is_late else "completed")
        return batch

    def cancel(self, name: str) -> dict[str, Any]:
        """Cancel a batch that still runs; what is done by then is kept. Raises RequestError."""
        if name in self.batches and self.batches[name]["status"] == "validating":
            self._validate(self.batches[name])
        batch = self.batches.get(name) or self.look(name)
        if batch["status"] == "in_progress":
            batch["cancelling_at"] = int(time.time())
            self._finish(batch, "cancelled")
        return batch

    def _validate(self, batch: dict[str, Any]) -> None:
        lines = self.files[batch["input_file_id"]].content.splitlines()
        errors = _errors_of(lines)
        if self._misbehaviour.happens("batch_failed", batch["id"]):
            errors.append(_error("invalid_batch", None, "The batch could not be read."))
        batch["request_counts"]["total"] = len(lines)
        batch["status"] = "failed" if errors else "in_progress"
        batch[batch["status"] + "_at"] = int(time.time())
        batch["errors"] = {"object": "list", "data": errors} if errors else None

    def _finish(self, batch: dict[str, Any], status: str) -> None:
        """Work off the lines, in an order of its own; where it ends early, about half of them."""
        content = self.files[batch["input_file_id"]].content
        lines = [json.loads(line) for line in content.splitlines()]
        lines.sort(key=lambda line: draw(self._seed, batch["id"], line["custom_id"]))
        n_done = len(lines) if status == "completed" else len(lines) // 2
        written = _Written()
        for line in lines[:n_done]:
            self._work_off(line, f"{batch['id']}/{line['custom_id']}", written)
        if status == "expired":
            error = {"code": "batch_expired", "message": _EXPIRED}
            written.errors += [_line(line["custom_id"], None, error) for line in lines[n_done:]]
        counts = batch["request_counts"]
        counts["completed"], counts["failed"] = len(written.output), len(written.errors)
        batch["output_file_id"] = self._write(written.output, f"{batch['id']}_output.jsonl")
        batch["error_file_id"] = self._write(written.errors, f"{batch['id']}_error.jsonl")
        batch["status"] = status
        batch[f"{status}_at"] = batch["finalizing_at"] = int(time.time())

    def _write(self, rows: list[dict[str, Any]], filename: str) -> str | None:
        """Write rows as a file; give its id, or None where there are none."""
        if not rows:
            return None
        text = "".join(json.dumps(row) + "\n" for row in rows)
        return self.add_file(filename, "batch_output", text.encode()).id

    def _work_off(self, line: dict[str, Any], key: str, written: _Written) -> None:
        if self._misbehaviour.happens("batch_missing", key):
            return
        body_key, arrival = self._completions.note(line["body"], is_batch=True)
        try:
            fault = self._misbehaviour.fault(("rate_limit", "server_error"), arrival)
            self._completions.refuse(fault)
            status, body = 200, self._completions.reply(line["body"], body_key, arrival)
        except RequestError as error:
            status, body = error.status, error.body()
        response = {"status_code": status, "request_id": request_id(arrival), "body": body}
        row = _line(line["custom_id"], response, None)
        rows = written.output if status == 200 else written.errors
        rows.append(row)
        if self._misbehaviour.happens("batch_duplicate", key):
            rows.append(row)
        if self._misbehaviour.happens("batch_foreign", key):
            rows.append(row | {"custom_id": "of-another-batch"})


def _line(custom_id: str, response: dict | None, error: dict | None) -> dict[str, Any]:
    name = "batch_" + request_id(custom_id)
    return {"id": name, "custom_id": custom_id, "response": response, "error": error}


def _error(code: str, line: int | None, message: str) -> dict[str, Any]:
    return {"code": code, "line": line, "message": message, "param": None}


def _errors_of(lines: list[bytes]) -> list[dict[str, Any]]:
    """Give what is wrong with the lines of a batch; empty where nothing is."""
    errors = []
    if not lines or len(lines) > _MAX_LINES:
        message = f"A batch has 1 to {_MAX_LINES} lines, not {len(lines)}."
        errors.append(_error("invalid_number_of_lines", None, message))
    seen: set[str] = set()
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            custom_id, is_known = line["custom_id"], line["url"] == ENDPOINT
            is_known = is_known and line["method"] == "POST" and isinstance(line["body"], dict)
        except (ValueError, KeyError, TypeError):
            errors.append(_error("invalid_json_line", number, "This line is not a request."))
            continue
        if not is_known:
            errors.append(_error("invalid_url", number, f"Only POST {ENDPOINT} is known."))
        if custom_id in seen:
            errors.append(_error("duplicate_custom_id", number, f"{custom_id} was used before."))
        seen.add(custom_id)
    return errors
