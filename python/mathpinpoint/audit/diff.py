"""What policy B would change against policy A: both are built over the same landed facts, and compared in SQL."""

from pathlib import Path
from typing import Any

import duckdb

from mathpinpoint.audit.compared import CHANGES, COMPARED, ROW_CHANGES, STATES
from mathpinpoint.audit.policies import built, side_of
from mathpinpoint.schemas import WORK
from mathpinpoint.shards import FOLDER_OF
from mathpinpoint.warehouse import Warehouse, WarehouseError

JUDGED_BY = {"llm_replies": "llm", "relevance_scores": "rm8b"}
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
            for create in (CHANGES, ROW_CHANGES):
                connection.execute(filled(create, *files))
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
    return connection.sql(filled(sql, a, b)).to_arrow_table().to_pylist()


def filled(sql: str, a: Path, b: Path) -> str:
    """The SQL with the names of both files and what is compared of each."""
    names = {"a": a.stem, "b": b.stem, "used": USED}
    states = {f"states_{side}": STATES.format(side=names[side]) for side in ("a", "b")}
    return sql.format(**names, **states)


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
    lines += [
        f"  {row['stage']:<20} {row['gained']:>9,} gained {row['lost']:>9,} lost {row['flipped']:>9,} flipped"
        for row in found["stages"]
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
    lines += [
        f"imported release {row['release']}: {row['flipped']:,} of {row['n_pairs']:,} labels flipped, "
        f"training rows {row['n_rows_a']:,} → {row['n_rows_b']:,}"
        for row in found["imported"]
    ]
    lines += example_lines(found["examples"])
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


def example_lines(examples: list[dict]) -> list[str]:
    """A few pairs of each kind of change, to be explained or looked at."""
    return ["examples"] * bool(examples) + [
        f"  {row['kind']:<11} {row['query_id']} {row['doc_id']}"
        + (f" {row['stage'] or ''}: {row['before']} → {row['after']}" if " " not in row["kind"] else "")
        for row in examples
    ]
