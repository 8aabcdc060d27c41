"""Record batches in the schema of a landed table."""

from typing import Any

import pyarrow as pa

from mathpinpoint.schemas import LANDED


def landed_batch(table: str, **columns: Any) -> pa.RecordBatch:
    """`columns` as a batch of the landed table `table`, without `landed_at`.

    Raises KeyError if a column is missing; a column that the schema does not know is refused by
    ValueError.
    """
    schema = LANDED[table].schema
    schema = schema.remove(schema.get_field_index("landed_at"))
    unknown = columns.keys() - set(schema.names)
    if unknown:
        raise ValueError(f"landed.{table} has no column {sorted(unknown)}")
    arrays = [
        value.cast(field.type)
        if isinstance(value := columns[field.name], pa.Array)
        else pa.array(value, type=field.type)
        for field in schema
    ]
    return pa.record_batch(arrays, schema=schema)
