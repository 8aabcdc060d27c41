"""The summary after a run: the funnel, the label mix by stage, where the release lies."""

from pathlib import Path
from typing import Any

from mathpinpoint.audit.recall import recall_lines

FUNNEL = "select unit, reason, n from audit.funnel order by step, reason"
UNITS = {
    "input": "files, records and rows → pages",
    "page": "pages → documents",
    "query": "pages → queries",
    "pair": "candidate pairs → judgments",
    "training": "queries → training rows",
}
MIX = """
select
    stage,
    judge,
    count(*) filter (where label = 2) as label_2,
    count(*) filter (where label = 1) as label_1,
    count(*) filter (where label = 0) as label_0,
    count(*) filter (where label is null) as not_evaluable
from judging.judgments group by stage, judge order by stage, judge
"""


def summary(warehouse: Any, folder: Path) -> str:
    """Plain text of a few tables, all counted from the warehouse."""
    lines = ["", "Funnel"]
    rows = warehouse.execute(FUNNEL)
    for unit, title in UNITS.items():
        counts = [(reason, n) for name, reason, n in rows if name == unit]
        kept = sum(n for reason, n in counts if reason == "kept")
        lines.append(f"  {title}: {sum(n for _, n in counts):,} → {kept:,}")
        lines += [f"    {n:>7,}  {reason}" for reason, n in counts if reason != "kept"]
    lines += [
        "",
        "Labels by stage",
        f"  {'stage':<16} {'judge':<6} {'2':>7} {'1':>7} {'0':>7} {'null':>7}",
    ]
    for stage, judge, *counts in warehouse.execute(MIX):
        lines.append(f"  {stage:<16} {judge:<6} " + " ".join(f"{count:>7,}" for count in counts))
    lines += [line for found in recall_lines(warehouse) for line in ("", found)]
    lines += [""] + alarm_lines(warehouse)
    profile, is_sample, model = warehouse.execute(
        "select profile, is_sample, model from staging.active_policy cross join judging.judge_task"
    )[0]
    lines += [
        f"Judge: {model} (profile {profile})"
        + (". These labels are the sample's truth, not a model's opinion." if is_sample else "."),
    ]
    query_id, doc_id = warehouse.execute(
        "select query_id, doc_id from judging.judgments order by is_source_page, query_id, doc_id limit 1"
    )[0]
    lines += [
        f"Release: {folder}",
        "",
        "Next:",
        f"  mathpinpoint explain {query_id} {doc_id}",
        '  mathpinpoint query "select stage, judge, count(*) from judging.judgments group by all order by all"',
        f"  mathpinpoint verify {folder}",
    ]
    return "\n".join(lines)


def alarm_lines(warehouse: Any) -> list[str]:
    """A line for each row of `audit.alarms`, or that there is none."""
    rows = warehouse.execute("select alarm, subject, expected, found from audit.alarms order by alarm, subject")
    return [
        f"ALARM {alarm}, {subject}: {found:,.3f} after {expected:,.3f}"
        if alarm.startswith("share")
        else f"ALARM {alarm}, {subject}: {found:,.0f} where the tables hold {expected:,.0f}"
        for alarm, subject, expected, found in rows
    ] or ["No alarm."]
