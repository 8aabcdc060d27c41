"""The loader of landed.leak_overlaps: how much of a query stands, in order, in an evaluation item."""

from collections.abc import Iterator

import pyarrow as pa

from mathpinpoint.compute.normalize import NORM_VERSION
from mathpinpoint.compute.subsequence import lcs_length, letters
from mathpinpoint.land.records import records_batch


def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Reads the work list of leak_overlaps. Lands the token-LCS of each pair, and both lengths.

    `query_tokens` and `item_tokens` are match tokens joined by one space.
    """
    for batch in batches:
        works = batch.to_pylist()
        spelt = letters(text for work in works for text in (work["query_tokens"], work["item_tokens"]))
        found = []
        for work in works:
            query, item = spelt[work["query_tokens"]], spelt[work["item_tokens"]]
            found.append(
                {
                    "query_sha256": work["query_sha256"],
                    "eval_set": work["eval_set"],
                    "item_id": work["item_id"],
                    "norm_version": NORM_VERSION,
                    "n_lcs": lcs_length(query, item),
                    "n_query_tokens": len(query),
                    "n_item_tokens": len(item),
                }
            )
        yield records_batch("leak_overlaps", found)
