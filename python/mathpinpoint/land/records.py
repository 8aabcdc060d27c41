"""Records, one dict per row, as a batch of a landed table."""

import pyarrow as pa

from mathpinpoint.land.columns import landed_batch
from mathpinpoint.schemas import LANDED


def records_batch(table: str, records: list[dict]) -> pa.RecordBatch:
    """Returns the records, in order, in the schema of the table without `landed_at`.

    Raises KeyError if a record lacks a column.
    """
    names = [name for name in LANDED[table].schema.names if name != "landed_at"]
    return landed_batch(table, **{name: [record[name] for record in records] for name in names})
