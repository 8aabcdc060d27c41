"""What an approximate search misses, in words."""

from typing import Any

RECALL = """
select route, depth, engine, n_queries, recall, min_recall, raise_parameter, expansion_search, connectivity,
    expansion_add
from audit.search_recall order by route
"""


def recall_lines(warehouse: Any) -> list[str]:
    """A line per route that is searched approximately: its measured recall; below the policy's least, what to raise."""
    lines = []
    for row in warehouse.table(RECALL).to_pylist():
        line = (
            f"{row['route']} is searched approximately ({row['engine']}): recall@{row['depth']} is {row['recall']:.4f} "
            f"over {row['n_queries']:,} sampled queries"
        )
        if row["raise_parameter"]:
            now = ", ".join(f"{name} {row[name]}" for name in row["raise_parameter"].split(" and "))
            line = (
                f"Warning: {line}, below {row['min_recall']:g}. Raise {row['raise_parameter']} (now {now}) "
                "in seeds/policy/routes.csv, then run the same command again"
            )
        lines.append(f"{line}.")
    return lines
