"""What is landed, what is pending, and what the pending requests to an LLM would cost."""

from typing import Any

from mathpinpoint.schemas import LANDED
from mathpinpoint.shards import FOLDER_OF

COSTS = """
select
    landed_table, sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
    sum(cost_usd) as cost_usd, string_agg(distinct model, ', ' order by model) as model
from audit.pending_costs
group by landed_table
"""


def status_rows(warehouse: Any) -> list[dict]:
    """One row per landed table: rows landed, rows pending, rows stale, and the cost of what is pending.

    Pending is what the work list holds as it was last built; stale rows answer to another version, corpus or prompt.
    """
    costs = {row["landed_table"]: row for row in warehouse.table(COSTS).to_pylist()}
    stale = dict(warehouse.execute("select landed_table, n_stale from audit.stale_facts"))
    rows = []
    for table in LANDED:
        landed = warehouse.execute(f"select count(*) from landed.{table}")[0][0]
        folder = FOLDER_OF.get(table)
        pending = (
            warehouse.execute(f"select count(*) from {folder}.pending_{table}")[0][0]
            if folder
            else None
        )
        cost = costs.get(table, {})
        rows.append(
            {
                "table": table,
                "landed": landed,
                "pending": pending,
                "stale": stale.get(table),
                "prompt_tokens": cost.get("prompt_tokens"),
                "completion_tokens": cost.get("completion_tokens"),
                "cost_usd": cost.get("cost_usd"),
                "model": cost.get("model"),
            }
        )
    return rows


def status_text(rows: list[dict]) -> str:
    """The rows as a table, then the total cost; tokens are estimates at four characters a token."""
    lines = [
        f"{'table':<20} {'landed':>10} {'pending':>10} {'stale':>8} {'tokens in':>11} {'tokens out':>11} {'USD':>10}"
    ]
    for row in rows:
        cells = [
            row["landed"],
            row["pending"],
            row["stale"],
            row["prompt_tokens"],
            row["completion_tokens"],
        ]
        shown = [f"{int(cell):,}" if cell is not None else "" for cell in cells]
        usd = f"{row['cost_usd']:,.2f}" if row["cost_usd"] is not None else ""
        lines.append(
            f"{row['table']:<20} {shown[0]:>10} {shown[1]:>10} {shown[2]:>8} {shown[3]:>11} {shown[4]:>11} {usd:>10}"
        )
    total = sum(row["cost_usd"] or 0 for row in rows)
    waiting = sum(row["pending"] or 0 for row in rows)
    lines.append(
        f"{waiting:,} rows are pending; their LLM requests cost about {total:,.2f} USD (tokens are estimates)."
        if waiting
        else "Nothing is pending."
    )
    return "\n".join(lines)


def cost_lines(warehouse: Any, where: str = "") -> list[str]:
    """The pending requests to an LLM with their price, by table, stage and round; none where nothing is pending."""
    rows = warehouse.execute(
        "select landed_table, stage, label_round, model, n_requests, prompt_tokens, completion_tokens, cost_usd"
        f" from audit.pending_costs {where} order by all"
    )
    if not rows:
        return []
    shown = [("table", "stage", "round", "model", "requests", "tokens in", "tokens out", "USD")]
    shown += [(table, stage or "", label_round or "", *figures(*rest)) for table, stage, label_round, *rest in rows]
    shown.append(("all", "", "", *figures("", *(sum(row[place] for row in rows) for place in range(4, 8)))))
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return [
        "  ".join(cell.rjust(width) if place > 3 else cell.ljust(width)
                  for place, (cell, width) in enumerate(zip(line, widths, strict=True)))
        for line in shown
    ]


def cost_text(warehouse: Any, table: str) -> str:
    """What is pending of one table: its rows, or its requests to an LLM by stage and round with their price."""
    if lines := cost_lines(warehouse, f"where landed_table = '{table}'"):
        return "\n".join([*lines, f"{table}: tokens are estimates; nothing was sent and nothing landed."])
    pending = next((row["pending"] for row in status_rows(warehouse) if row["table"] == table), None) or 0
    return f"{table}: {pending:,} rows are pending. Nothing was landed."


def figures(model: str, n_requests: int, tokens_in: float, tokens_out: float, usd: float) -> tuple[str, ...]:
    return model, f"{n_requests:,}", f"{int(tokens_in):,}", f"{int(tokens_out):,}", f"{usd:,.2f}"
