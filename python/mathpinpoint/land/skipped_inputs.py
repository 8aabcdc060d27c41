"""The loader of landed.skipped_inputs: what the readers of pages did not take."""

from collections.abc import Iterable

import pyarrow as pa

from mathpinpoint.land.page_files import Skipped
from mathpinpoint.land.records import records_batch

_DETAIL_CHARS = 500


def batch(skipped: Iterable[Skipped], landed: set[tuple[str, str]]) -> pa.RecordBatch:
    """Reads what was skipped. Lands each (source, reason) that is not in `landed`, and adds it there."""
    found = []
    for one in skipped:
        if (one.source, one.reason) in landed:
            continue
        landed.add((one.source, one.reason))
        detail = one.detail.encode("utf-8", "backslashreplace").decode()[:_DETAIL_CHARS]
        found.append({"source": one.source, "reason": one.reason, "detail": detail})
    return records_batch("skipped_inputs", found)
