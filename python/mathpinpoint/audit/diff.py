"""What policy B would change against policy A: both are built over the same landed facts, and compared in SQL."""

from pathlib import Path
from typing import Any

import duckdb

from mathpinpoint.audit.policies import built, side_of
from mathpinpoint.schemas import WORK
from mathpinpoint.shards import FOLDER_OF
from mathpinpoint.warehouse import Warehouse, WarehouseError

JUDGED_BY = {"llm_replies": "llm", "relevance_scores": "rm8b"}
# A pair's state: its label, or why it has none.
STATES = """
select
    query_id, doc_id, true as is_judged,
    case when is_query_evaluable then cast(label as varchar) else 'null' end as state
from {side}.judging.judgments
union all
select query_id, doc_id, false as is_judged, reason as state from {side}.judging.pair_exclusions
"""
COMPARED = {
    "candidates": """
        select
            count(a.query_id) as n_a, count(b.query_id) as n_b,
            count(*) filter (where a.query_id is null) as added,
            count(*) filter (where b.query_id is null) as removed
        from {a}.retrieval.candidates as a
        full join {b}.retrieval.candidates as b on a.query_id = b.query_id and a.doc_id = b.doc_id
    """,
    "assignments": """
        select
            coalesce(a.rule, b.rule) as rule, coalesce(a.judge, b.judge) as judge,
            coalesce(a.n_pairs, 0) as n_a, coalesce(b.n_pairs, 0) as n_b
        from (select rule, judge, count(*) as n_pairs from {a}.judging.assignments group by all) as a
        full join (select rule, judge, count(*) as n_pairs from {b}.judging.assignments group by all) as b
            on a.rule = b.rule and a.judge = b.judge
        order by rule, judge
    """,
    "judgments": """
        select
            count(*) filter (where a.is_judged) as n_a, count(*) filter (where b.is_judged) as n_b,
            count(*) filter (where b.is_judged and a.is_judged is not true) as gained,
            count(*) filter (where a.is_judged and b.is_judged is not true) as lost,
            count(*) filter (where a.is_judged and b.is_judged and a.state <> b.state) as flipped
        from ({states_a}) as a
        full join ({states_b}) as b on a.query_id = b.query_id and a.doc_id = b.doc_id
    """,
    "labels": """
        select coalesce(a.state, 'none') as before, coalesce(b.state, 'none') as after, count(*) as n_pairs
        from ({states_a}) as a
        full join ({states_b}) as b on a.query_id = b.query_id and a.doc_id = b.doc_id
        group by all order by all
    """,
    "training_rows": """
        select
            count(a.query_id) as n_a, count(b.query_id) as n_b,
            count(*) filter (where a.query_id is null) as gained,
            count(*) filter (where b.query_id is null) as lost,
            count(*) filter (where a.query_id = b.query_id and a.used <> b.used) as changed
        from (select query_id, concat_ws(' ', {used}) as used from {a}.training.rows) as a
        full join (select query_id, concat_ws(' ', {used}) as used from {b}.training.rows) as b
            on a.query_id = b.query_id
    """,
    "training_reasons": """
        select
            coalesce(a.reason, b.reason) as reason, coalesce(a.n_queries, 0) as n_a, coalesce(b.n_queries, 0) as n_b
        from (
            select coalesce(reason, 'kept') as reason, count(*) as n_queries from {a}.training.outcomes group by all
        ) as a
        full join (
            select coalesce(reason, 'kept') as reason, count(*) as n_queries from {b}.training.outcomes group by all
        ) as b on a.reason = b.reason
        order by reason
    """,
    "costs": """
        select
            coalesce(a.landed_table, b.landed_table) as landed_table, coalesce(a.model, b.model) as model,
            coalesce(a.n_requests, 0) as n_requests_a, coalesce(b.n_requests, 0) as n_requests_b,
            coalesce(b.prompt_tokens, 0) - coalesce(a.prompt_tokens, 0) as prompt_tokens,
            coalesce(b.completion_tokens, 0) - coalesce(a.completion_tokens, 0) as completion_tokens,
            coalesce(b.cost_usd, 0) - coalesce(a.cost_usd, 0) as cost_usd
        from {a}.audit.pending_costs as a
        full join {b}.audit.pending_costs as b on a.landed_table = b.landed_table and a.model = b.model
        order by landed_table, model
    """,
}
IDS = (
    "id", "kind", "eval_set", "route", "fingerprint", "ask", "attempt", "doc_a", "doc_b", "text_sha256", "query_sha256",
)
USED = "positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id"
PENDING = """
select
    '{table}' as landed_table,
    (select count(*) from {a}.{folder}.pending_{table}) as n_a,
    (select count(*) from {b}.{folder}.pending_{table}) as n_b,
    (select count(*) from (
        select {ids} from {b}.{folder}.pending_{table} except select {ids} from {a}.{folder}.pending_{table}
    )) as n_new
"""


def diff_policies(warehouse: Warehouse, a: str, b: str) -> dict[str, Any]:
    """Build A and B, each into a file under `diff/` of the home, and count what differs; no loader runs.

    `costs` are B's pending LLM requests less A's. Raises WarehouseError for an unknown name, or a policy that does
    not build.
    """
    if not warehouse.landed.is_dir():
        raise WarehouseError(f"{warehouse.home} holds no landed facts. Run `mathpinpoint run` first.")
    files = []
    for name in (a, b):
        with side_of(warehouse, name) as side:
            files.append(built(warehouse, side))
    with duckdb.connect() as connection:
        for file in dict.fromkeys(files):
            connection.execute(f"attach '{str(file).replace(chr(39), chr(39) * 2)}' as {file.stem} (read_only)")
        try:
            found = {name: rows(connection, sql, *files) for name, sql in COMPARED.items()}
            found["pending"] = rows(connection, " union all ".join(map(pending, FOLDER_OF)), *files)
        except duckdb.CatalogException as error:
            raise WarehouseError(
                f"{a} and {b} cannot be compared, one lacks a table: {str(error).splitlines()[0]}. "
                "Name a later revision."
            ) from error
    for one in ("candidates", "judgments", "training_rows"):
        found[one] = found[one][0]
    return {"a": {"name": a, "file": str(files[0])}, "b": {"name": b, "file": str(files[1])}, **found}


def rows(connection: duckdb.DuckDBPyConnection, sql: str, a: Path, b: Path) -> list[dict]:
    names = {"a": a.stem, "b": b.stem, "used": USED}
    states = {f"states_{side}": STATES.format(side=names[side]) for side in ("a", "b")}
    return connection.sql(sql.format(**names, **states)).to_arrow_table().to_pylist()


def pending(table: str) -> str:
    """SQL with {a} and {b}: what is pending of a table under each policy, and what of it only under B."""
    named = [name for name in WORK[table].names if name.endswith("_id") or name in IDS]
    return PENDING.format(a="{a}", b="{b}", table=table, folder=FOLDER_OF[table], ids=", ".join(named))


def diff_text(found: dict[str, Any]) -> str:
    """The counts for a terminal: what is new to judge and its cost first, then labels and training rows."""
    lines = [f"{found['a']['name']} → {found['b']['name']}"]
    one = found["candidates"]
    lines.append(f"candidates: {one['n_a']:,} → {one['n_b']:,} ({one['added']:,} added, {one['removed']:,} removed)")
    lines.append("assignments by rule and judge")
    for row in found["assignments"]:
        mark = "" if row["n_a"] == row["n_b"] else f"  ({row['n_b'] - row['n_a']:+,})"
        lines.append(f"  {row['rule']:<20} {row['judge']:<5} {row['n_a']:>9,} → {row['n_b']:>9,}{mark}")
    lines += judging_lines(found)
    one = found["judgments"]
    lines.append(
        f"judgments: {one['n_a']:,} → {one['n_b']:,} "
        f"({one['gained']:,} gained, {one['lost']:,} lost, {one['flipped']:,} flipped)"
    )
    lines += [
        f"  {row['before']:>8} → {row['after']:<8} {row['n_pairs']:>9,}"
        for row in found["labels"] if row["before"] != row["after"]
    ]
    one = found["training_rows"]
    lines.append(
        f"training rows: {one['n_a']:,} → {one['n_b']:,} "
        f"({one['gained']:,} gained, {one['lost']:,} lost, {one['changed']:,} changed)"
    )
    lines += [
        f"  {row['reason']:<20} {row['n_a']:>9,} → {row['n_b']:>9,}"
        for row in found["training_reasons"] if row["n_a"] != row["n_b"]
    ]
    return "\n".join([*lines, f"Built in {found['a']['file']} and {found['b']['file']}."])


def judging_lines(found: dict[str, Any]) -> list[str]:
    """Pairs that only B has to judge, by judge, with the cost; and what must be landed before they are all known."""
    new = {row["landed_table"]: row["n_new"] for row in found["pending"]}
    lines = [f"newly to be judged by {judge}: {new[table]:,} pairs" for table, judge in JUDGED_BY.items()]
    lines += [
        f"  {row['landed_table']}, {row['model']}: {row['n_requests_a']:,} → {row['n_requests_b']:,} requests pending, "
        f"{row['prompt_tokens']:+,.0f} tokens in, {row['completion_tokens']:+,.0f} out, {row['cost_usd']:+,.2f} USD"
        for row in found["costs"]
    ]
    before = {table: n for table, n in new.items() if n and table not in JUDGED_BY}
    if before:
        named = ", ".join(f"{table} {n:,}" for table, n in before.items())
        lines.append(
            f"  B needs facts first that no loader has landed ({named}): pairs that follow from them are not counted."
        )
    return lines
