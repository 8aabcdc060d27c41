"""Asking an LLM until a work list is empty; what is in a journal is never asked again."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

import pyarrow as pa

from mathpinpoint.loading import llm_options, llm_roles
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED
from mathpinpoint.shards import n_pending, work_list
from mathpinpoint.warehouse import Warehouse

LLM_TABLES = ("query_extractions", "duplicate_reviews", "same_problem_replies", "query_checks", "llm_replies")


def ask_pending(
    table: str, warehouse: Warehouse, settings, reporter: Reporter, rebuild: Callable[[], None]
) -> int:
    """Seal what an earlier run left, then ask and seal until nothing is pending; returns how many.

    `rebuild` makes the work list anew.
    """
    from mathpinpoint.clients.journal import Journal
    from mathpinpoint.land.replies import ask

    asked = 0
    with Journal(warehouse.home / "journal" / f"{table}.jsonl") as journal:
        write = partial(seal, table, warehouse)
        journal.recover(write)
        rebuild()
        while total := n_pending(warehouse, table):
            for where, role in llm_roles(table):
                if not (n_requests := n_pending(warehouse, table, where)):
                    continue
                client = llm_options(table, role, settings)
                with reporter.stage(table, n_requests, "requests") as counter:
                    ask(
                        work_list(warehouse, table, where),
                        prompt_folder=warehouse.project / "prompts",
                        journal=journal,
                        total=n_requests,
                        progress=counter.tokens,
                        **client,
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
