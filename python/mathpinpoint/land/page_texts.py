"""Text of each page, extracted in worker processes."""

from collections import deque
from collections.abc import Iterator
from dataclasses import asdict

import pyarrow as pa

from mathpinpoint.compute.extract import Extraction, extract_item, failed
from mathpinpoint.engines.guarded import Failure, guarded_map
from mathpinpoint.schemas import LANDED

_COLUMNS = pa.schema([c for c in LANDED["page_texts"].schema if c.name != "landed_at"])


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    workers: int,
    seconds: float,
    memory_bytes: int,
    max_page_bytes: int,
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of page_texts. Lands one row per page, in the order of the list.

    A page of more than `max_page_bytes` is not read (too_large); one that takes more than
    `seconds` or `memory_bytes`, or ends its worker, is `failed` with that reason. No page ends
    the run.
    """
    waiting: deque[list[str]] = deque()  # ids of the batches that are not yet whole
    items = _items(batches, waiting, max_page_bytes)
    found: list[Extraction] = []
    for result in guarded_map(
        extract_item, items, workers=workers, seconds=seconds, memory_bytes=memory_bytes
    ):
        found.append(failed(result.reason) if isinstance(result, Failure) else result)
        if len(found) == len(waiting[0]):
            yield _batch(waiting.popleft(), found)
            found = []


def _items(
    batches: Iterator[pa.RecordBatch], waiting: deque[list[str]], max_page_bytes: int
) -> Iterator[tuple[str, str | None, bytes | None]]:
    """Yields the pages of the batches; the ids of each batch are appended to `waiting` first."""
    for batch in batches:
        if batch.num_rows == 0:
            continue
        waiting.append(batch.column("page_id").to_pylist())
        columns = (batch.column(name) for name in ("format", "charset", "raw"))
        for format, charset, raw in zip(*columns, strict=True):
            is_small = raw.is_valid and raw.as_buffer().size <= max_page_bytes
            yield format.as_py(), charset.as_py(), raw.as_py() if is_small else None


def _batch(page_ids: list[str], extractions: list[Extraction]) -> pa.RecordBatch:
    records = [
        {"page_id": page_id, **asdict(extraction)}
        for page_id, extraction in zip(page_ids, extractions, strict=True)
    ]
    return pa.RecordBatch.from_pylist(records, schema=_COLUMNS)
