"""Asking an LLM until a work list is empty; what is in a journal is never asked again."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

import pyarrow as pa

from mathpinpoint.clients.budget import Budget
from mathpinpoint.loading import llm_roles, prices
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED
from mathpinpoint.shards import FOLDER_OF, n_pending, work_list
from mathpinpoint.warehouse import Warehouse

LLM_TABLES = ("query_extractions", "duplicate_reviews", "same_problem_replies", "query_checks", "llm_replies")


def ask_pending(
    table: str, warehouse: Warehouse, settings, reporter: Reporter, rebuild: Callable[[], None], budget: Budget
) -> int:
    """Seal what an earlier run left, then ask and seal until nothing is pending; returns how many.

    `rebuild` makes the work list anew. What `budget` does not let pass stays pending.
    """
    from mathpinpoint.clients.batch_shards import BatchShards
    from mathpinpoint.clients.journal import Journal
    from mathpinpoint.land.batched import journal_fetched
    from mathpinpoint.transports import asker

    asked, budget.prices = 0, prices(warehouse)
    with Journal(warehouse.home / "journal" / f"{table}.jsonl") as journal:
        write = partial(seal, table, warehouse)
        shards = BatchShards(warehouse.home / "journal" / f"{table}.batches")
        journal_fetched(shards, journal)
        journal.recover(write)
        rebuild()
        while total := n_pending(warehouse, table):
            for where, role in llm_roles(table):
                if not (n_requests := n_pending(warehouse, table, where)):
                    continue
                ask = asker(table, role, settings, models_of(warehouse, table, where), budget, shards)
                with reporter.stage(table, n_requests, "requests") as counter:
                    ask(
                        work_list(warehouse, table, where),
                        prompt_folder=warehouse.project / "prompts",
                        journal=journal,
                        total=n_requests,
                        progress=counter.tokens,
                    )
            journal.seal(write)
            asked += total
            rebuild()
    if not asked:
        reporter.say(f"  {table}: nothing pending")
    return asked


def seal(table: str, warehouse: Warehouse, batches: Iterator[pa.RecordBatch]) -> None:
    """Write the journal's rows as a shard named by its keys: sealed twice, it is the same shard."""
    schema = LANDED[table].schema
    rows = pa.Table.from_batches(batches, schema.remove(schema.get_field_index("landed_at")))
    keys = rows.select(["request_key", "attempt"]).to_pylist()
    name = hashlib.sha256(repr(keys).encode()).hexdigest()
    warehouse.land(table, name[:32], rows.to_batches(), {"input_sha256": name})


def models_of(warehouse: Warehouse, table: str, where: str) -> list[str]:
    """The models that a work list, or a part of it, asks."""
    sql = f"select distinct model from {FOLDER_OF[table]}.pending_{table} {where} order by model"
    return [row[0] for row in warehouse.execute(sql)]
