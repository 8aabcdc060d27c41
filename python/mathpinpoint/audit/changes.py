"""The pairs that two policies judge differently: counted by stage and kind of change, with examples of each."""

from typing import Any

import duckdb

EXAMPLES = 10  # pairs shown of each kind of change; how much is shown, not a choice about data
# One pass over both label tables; what is equal on both sides is never written.
CHANGED = """
create or replace temp table changed_pairs as
select
    case
        when before.query_id is null then 'gained'
        when after.query_id is null then 'lost'
        else 'flipped'
    end as change,
    coalesce(before.query_id, after.query_id) as query_id,
    coalesce(before.doc_id, after.doc_id) as doc_id,
    coalesce(after.stage, before.stage) as stage,
    before.judge as judge_before, after.judge as judge_after,
    before.label as label_before, after.label as label_after,
    before.raw_score as raw_score_before, after.raw_score as raw_score_after
from {a}.judging.judgments as before
full join {b}.judging.judgments as after on before.query_id = after.query_id and before.doc_id = after.doc_id
where
    before.query_id is null
    or after.query_id is null
    or before.label is distinct from after.label
"""
BY_STAGE = """
select stage, change, label_before, label_after, count(*) as n_pairs
from changed_pairs group by all order by all
"""
# Drawn by md5 of the ids: the same pairs on every run, and no favour to early ids.
SAMPLED = """
select change, label_before, label_after, query_id, doc_id, stage, judge_before, judge_after,
    raw_score_before, raw_score_after
from changed_pairs
qualify row_number() over (
    partition by change, label_before, label_after order by md5(concat(query_id, ' ', doc_id)), query_id, doc_id
) <= {examples}
order by change, label_before, label_after, query_id, doc_id
"""


def changed_pairs(connection: duckdb.DuckDBPyConnection, a: str, b: str) -> None:
    """Make the temporary table `changed_pairs` of two attached files: one row per pair gained, lost or flipped."""
    connection.execute(CHANGED.format(a=a, b=b))


def kinds_of_change(connection: duckdb.DuckDBPyConnection) -> tuple[list[dict], list[dict]]:
    """Rows by (stage, change, labels), and at most EXAMPLES pairs of each (change, labels)."""
    return tuple(
        connection.sql(sql).to_arrow_table().to_pylist() for sql in (BY_STAGE, SAMPLED.format(examples=EXAMPLES))
    )


def by_stage_lines(rows: list[dict]) -> list[str]:
    return [
        f"  {row['stage']:<16} {row['change']:<8} {shown(row):<11} {row['n_pairs']:>9,}" for row in rows
    ]


def example_lines(rows: list[dict]) -> list[str]:
    """The examples under a heading for each kind of change."""
    lines, heading = [], None
    for row in rows:
        if heading != (heading := f"examples: {row['change']} {shown(row)}"):
            lines.append(heading)
        lines.append(f"  {row['query_id']} {row['doc_id']} ({row['stage']})")
    return lines


def shown(row: dict[str, Any]) -> str:
    """The labels before and after; a pair that one side does not judge, or cannot, has a dash there."""
    before, after = ("-" if row[name] is None else row[name] for name in ("label_before", "label_after"))
    return f"{before} → {after}"
