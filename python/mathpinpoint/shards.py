"""Work lists and the shards that they are cut into."""

import hashlib
import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from mathpinpoint.loading import Options
from mathpinpoint.schemas import WORK
from mathpinpoint.warehouse import Warehouse

# The folder of models/ that holds the work list of a landed table.
FOLDER_OF = {
    "page_texts": "corpus",
    "query_extractions": "queries",
    "question_removals": "corpus",
    "query_forms": "queries",
    "leak_overlaps": "queries",
    "signatures": "corpus",
    "duplicate_verdicts": "corpus",
    "duplicate_reviews": "corpus",
    "llm_replies": "judging",
    "query_checks": "queries",
    "token_counts": "retrieval",
    "embeddings": "retrieval",
    "nearest_items": "queries",
    "same_problem_replies": "queries",
    "recall_checks": "retrieval",
    "runs": "retrieval",
    "reranker_scores": "judging",
    "relevance_scores": "judging",
}
SHARD_ROWS = {
    "page_texts": 200, "leak_overlaps": 20_000, "embeddings": 128, "reranker_scores": 512, "relevance_scores": 512,
}
DEFAULT_SHARD_ROWS = 2000
KEYS = {"id", "kind", "eval_set", "route", "ask", "attempt", "doc_a", "doc_b", "query_sha256"}


def n_pending(warehouse: Warehouse, table: str, where: str = "") -> int:
    """Rows of the work list, as it was last built."""
    return warehouse.execute(f"select count(*) from {FOLDER_OF[table]}.pending_{table} {where}")[0][0]


def work_list(warehouse: Warehouse, table: str, where: str = "") -> Iterator[pa.RecordBatch]:
    """The work list in batches of at most a shard, ordered by its ids, so that shards are always the same."""
    names = WORK[table].names
    ids = [name for name in names if name.endswith("_id") or name in KEYS]
    sql = (
        f"select {', '.join(names)} from {FOLDER_OF[table]}.pending_{table} {where} "
        f"order by {', '.join(ids)}"
    )
    for batch in warehouse.stream(sql, SHARD_ROWS.get(table, DEFAULT_SHARD_ROWS)):
        yield pa.Table.from_batches([batch]).cast(WORK[table]).combine_chunks().to_batches()[0]


def shards(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of exactly `rows` rows, the last one of what is left."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        while count >= rows:
            table = pa.Table.from_batches(waiting)
            yield table.slice(0, rows).combine_chunks()
            rest = table.slice(rows)
            waiting, count = rest.to_batches(), rest.num_rows
    if count:
        yield pa.Table.from_batches(waiting).combine_chunks()


def shards_of(warehouse: Warehouse, table: str, where: str) -> Iterator[pa.Table]:
    """The work list of a landed table, cut into its shards."""
    return shards(work_list(warehouse, table, where), SHARD_ROWS.get(table, DEFAULT_SHARD_ROWS))


def shard_name(table: str, shard: pa.Table | pa.RecordBatch, options: Options) -> str:
    """32 hex digits of a hash over the rows' content and the loader's options."""
    digest = hashlib.sha256(f"{table}|{sorted(options.items(), key=str)!r}".encode())
    whole = shard if isinstance(shard, pa.Table) else pa.Table.from_batches([shard])
    compact = whole.take(pa.array(range(whole.num_rows), pa.int64()))  # a slice serializes bytes of its neighbours
    for batch in compact.combine_chunks().to_batches():
        digest.update(batch.serialize())
    return digest.hexdigest()[:32]


def code_versions() -> dict[str, str]:
    """The versions of what the loaders compute: rows of another version are another shard."""
    from mathpinpoint.compute import guard, normalize, removal
    from mathpinpoint.compute.extract import page

    return {
        "extractor": page.EXTRACTOR_VERSION,
        "norm": normalize.NORM_VERSION,
        "removal": removal.REMOVAL_VERSION,
        "guard": guard.GUARD_VERSION,
    }


def prepared(table: str, options: Options) -> Options:
    """The options as every process is to have them: what their loader wants made once, and not sent to each."""
    make = getattr(importlib.import_module(f"mathpinpoint.land.{table}"), "prepared", None)
    return make(**options) if make else options


def land_shard(home: Path, table: str, options: Options, shard: pa.Table) -> int:
    """Run the loader over one shard of its work list and land what it gives.

    Returns the shard's rows. It runs in any process: it opens the home, not the warehouse's file.
    """
    loader = importlib.import_module(f"mathpinpoint.land.{table}")
    named = {
        key: value for key, value in options.items() if not isinstance(value, pa.Table | Path) and key != "workers"
    }
    name = shard_name(table, shard, named | code_versions())
    Warehouse(home).land(
        table,
        name,
        loader.rows(iter(shard.to_batches()), **options),
        {"input_sha256": name, "options": repr(sorted(named.items(), key=str))},
    )
    return shard.num_rows
