"""What a batch brought: each item that came back is one row of the journal, as if it had been asked online."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mathpinpoint.clients.batch_shards import Shard
from mathpinpoint.clients.journal import Journal
from mathpinpoint.clients.outcomes import Outcome, is_ascribed_to_endpoint, no_reply, read_reply
from mathpinpoint.land.replies import Row, landed_row

NOT_DONE = ("batch_expired", "batch_cancelled")  # errors of items that the batch had no time for
ROWS_A_COMMIT = 1000


def journal_results(shard: Shard, journal: Journal) -> tuple[Counter[str], list[Row]]:
    """Journal the fetched results of a shard, but for what the journal holds.

    Gives counts (rows, missing, duplicate, foreign) and the rows. Done again after a kill it adds what is left.
    Where the endpoint failed every item that came back, none is a row: no attempt is used up.
    """
    counts: Counter[str] = Counter()
    rows = list(_rows(shard, counts))
    if rows and all(is_ascribed_to_endpoint(_outcome(row)) for row in rows):
        counts["failed"], rows = len(rows), []
    counts["rows"], counts["missing"] = len(rows), shard.n_requests - len(rows) - counts["failed"]
    new = [row for row in rows if (row["request_key"], row["attempt"]) not in journal]
    for start in range(0, len(new), ROWS_A_COMMIT):
        journal.extend(new[start : start + ROWS_A_COMMIT])
    return counts, rows


def _rows(shard: Shard, counts: Counter[str]) -> Iterator[Row]:
    """The rows of output, then of errors: of two results of one request the first is taken."""
    conditions, seen = shard.conditions(), set()
    for line in [*_lines(shard, ".output.jsonl", counts), *_lines(shard, ".errors.jsonl", counts)]:
        key = line.get("custom_id")
        if key not in conditions:
            counts["foreign"] += 1
        elif key in seen:
            counts["duplicate"] += 1
        elif (fields := _fields(line)) is not None:
            seen.add(key)
            yield landed_row(key, conditions[key], Outcome(**_times(shard.batch), **fields))


def _lines(shard: Shard, kind: str, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    path = shard.file(kind)
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in filter(None, (line.strip() for line in file)):
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                line = None
            if isinstance(line, dict):
                yield line
            else:
                counts["unreadable"] += 1


def _fields(line: dict[str, Any]) -> dict[str, Any] | None:
    """The reply's fields; None where the item was not worked off."""
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict) and isinstance(response.get("status_code"), int):
        text = json.dumps(response.get("body"), ensure_ascii=False)
        return read_reply(response["status_code"], response.get("request_id"), text)
    error = error if isinstance(error, dict) else {}
    if error.get("code") in NOT_DONE:
        return None
    return no_reply(f"{error.get('code') or 'no response'}: {error.get('message') or ''}")


def _times(batch: dict[str, Any]) -> dict[str, Any]:
    """A batch tells when it began and ended, not when each item did."""
    start = batch["created_at"]
    end = batch.get("completed_at") or batch.get("expired_at") or batch.get("cancelled_at") or start
    return {"sent_at": start * 1_000_000, "latency_seconds": float(max(0, end - start))}


def _outcome(row: Row) -> Outcome:
    return Outcome(**{name: row[name] for name in Outcome.__dataclass_fields__})
