"""Publish: the tables of the release as ordered streams, and the facts of its card."""

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from mathpinpoint.release.writer import write_release
from mathpinpoint.warehouse import Warehouse, WarehouseError

# Sorted, so that a release can be read by query, and so that its bytes depend on nothing else.
STREAMS = {
    "corpus": "select * from release.corpus order by did",
    "queries": "select * from release.queries order by qid",
    "judgments": "select * from release.judgments {where} order by qid, fused_rank nulls last, did",
}
QUERIES_PER_RANGE = 50_000  # whose judgments are sorted at a time
MEMORY = "1GB"  # of DuckDB; what does not fit is spilled
BATCH_ROWS = 100_000
ROWS_PER_SHARD = {"corpus": 500_000, "queries": 2_000_000, "judgments": 10_000_000}
ROW_GROUP_ROWS = {"corpus": 10_000, "queries": 50_000, "judgments": 100_000}
MODELS = ("encoder", "reranker", "tokenizer", "relevance_base")


def publish(warehouse: Warehouse, folder: Path | None, *, replace: bool = False) -> Path:
    """Write a release of what is built to `folder`, by default `releases/<policy>-<content>` of the home.

    Refuses (WarehouseError) where no query was judged.
    """
    refuse_partial(warehouse)
    if not warehouse.execute("select count(*) from release.judgments")[0][0]:
        raise WarehouseError(
            "There is no judgment to release. Run `mathpinpoint status`, then `mathpinpoint run`."
        )
    facts = release_facts(warehouse)
    if folder is None:
        folder = (
            warehouse.home
            / "releases"
            / f"mathpinpoint-{facts['policy']}-{content_digest(warehouse, facts)}"
        )
    with warehouse.reading() as connection:
        connection.execute(f"set memory_limit = '{MEMORY}'")
        return write_release(
            folder,
            {name: partial(_stream, connection, name) for name in STREAMS},
            facts,
            rows_per_shard=ROWS_PER_SHARD,
            row_group_rows=ROW_GROUP_ROWS,
            replace=replace,
        )


def _stream(connection: duckdb.DuckDBPyConnection, name: str) -> pa.RecordBatchReader:
    """The rows of a config in their order; judgments are sorted range by range of the queries."""
    if name != "judgments":
        return connection.cursor().sql(STREAMS[name]).to_arrow_reader(BATCH_ROWS)
    starts = [row[0] for row in connection.execute(
        "select qid from (select qid, row_number() over (order by qid) as place from release.queries)"
        f" where (place - 1) % {QUERIES_PER_RANGE} = 0 order by qid"
    ).fetchall()]
    readers = _ranges(connection, starts or [""])
    first = next(readers)
    return pa.RecordBatchReader.from_batches(first.schema, _batches(first, readers))


def _ranges(connection: duckdb.DuckDBPyConnection, starts: list[str]) -> Iterator[pa.RecordBatchReader]:
    """The judgments of each range of queries; the first is open below, the last above."""
    for place, start in enumerate(starts):
        limits = [f"qid >= {_literal(start)}"] if place else []
        limits += [f"qid < {_literal(end)}" for end in starts[place + 1 : place + 2]]
        sql = STREAMS["judgments"].format(where="where " + " and ".join(limits) if limits else "")
        yield connection.cursor().sql(sql).to_arrow_reader(BATCH_ROWS)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _batches(
    first: pa.RecordBatchReader, others: Iterator[pa.RecordBatchReader]
) -> Iterator[pa.RecordBatch]:
    yield from first
    for reader in others:
        yield from reader


def content_digest(warehouse: Warehouse, facts: dict) -> str:
    """12 hex digits that name the content of the release's tables and what its card says, the policy among it."""
    sums = [
        warehouse.execute(
            f"select sum(md5_number_lower(cast(release_rows as varchar))) from release.{name} as release_rows"
        )[0][0]
        for name in STREAMS
    ]
    text = repr(sums) + json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def seed_hashes(warehouse: Warehouse) -> dict[str, str]:
    """sha256 by file of the policy that the warehouse was built with."""
    return dict(warehouse.execute("select file, sha256 from audit.policy_files order by file"))


def refuse_partial(warehouse: Warehouse) -> None:
    """Raise WarehouseError unless the last build made every table and failed nowhere."""
    is_recorded = warehouse.execute(
        "select count(*) from information_schema.tables where table_schema = 'audit' and table_name = 'last_build'"
    )[0][0]
    nodes, built, failed = warehouse.execute("from audit.last_build")[0] if is_recorded else (1, 0, 0)
    if failed or built < nodes:
        raise WarehouseError(
            f"The last build made {built} of {nodes} tables and {failed} of its steps failed, so that tables may not "
            "belong together. Run `mathpinpoint run` or `dbt build`, then release."
        )


def release_facts(warehouse: Warehouse) -> dict:
    """What the card says, all of it read from the warehouse and the project's files."""
    active = warehouse.table("select * from staging.active_policy").to_pylist()[0]
    task = warehouse.table("select model from judging.judge_task").to_pylist()[0]
    return {
        "pretty_name": f"MathPinpoint, policy {active['policy']}",
        "license": "other",
        "policy": active["policy"],
        "profile": active["profile"],
        "is_sample": active["is_sample"],
        "models": {**{role: active[role] for role in MODELS}, "judge": task["model"]},
        "label_mix": warehouse.table(
            "select stage, judge, label_round, label, n_judgments from audit.label_mix order by all"
        ).to_pylist(),
        "funnel": warehouse.table(
            "select unit, reason, n from audit.funnel order by step, unit, reason"
        ).to_pylist(),
        "seeds": seed_hashes(warehouse),
        "prompts": dict(
            warehouse.execute("select prompt, prompt_sha256 from policy.prompts where is_current")
        ),
    }
