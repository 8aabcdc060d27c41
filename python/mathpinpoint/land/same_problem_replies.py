"""Lands `same_problem_replies`: the replies to a request a query and an evaluation item near to it."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from mathpinpoint.land import replies


def rows(batches: Iterator[pa.RecordBatch], **options: Any) -> Iterator[pa.RecordBatch]:
    """Reads the work list of requests. Lands one row per reply; options as in `replies.rows`."""
    return replies.rows(batches, **options)
