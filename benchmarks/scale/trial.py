"""The fusion and candidates of a home's landed hits as one plain statement a range of queries; a process of its own.

Usage: python trial.py HOME RANGES. Prints a JSON object: seconds of CPU and wall, and the rows made.
"""

import json
import sys
from pathlib import Path

import duckdb
from measure import clock

STATEMENT = """
insert into trial
with hits as (
    select query_id, doc_id,
        case when route = 'dense' then rank end as dense_rank, case when route = 'bm25' then rank end as bm25_rank,
        case when route = 'ngram5' then rank end as ngram5_rank
    from read_parquet('{runs}') where query_id >= '{lowest}' and query_id < '{end}' and rank is not null
),
wide as (
    select query_id, doc_id, max(dense_rank) as dense_rank, max(bm25_rank) as bm25_rank, max(ngram5_rank) as ngram5_rank
    from hits group by query_id, doc_id
),
scored as (
    select *, coalesce(2.0::double / (60 + dense_rank), 0) + coalesce(1.0::double / (60 + bm25_rank), 0)
        + coalesce(1.0::double / (60 + ngram5_rank), 0) as rrf_score
    from wide
),
ranked as (
    select *, row_number() over (
        partition by query_id order by rrf_score desc, least(dense_rank, bm25_rank, ngram5_rank), doc_id
    ) as fused_rank
    from scored
)
select * from ranked where fused_rank <= 20 or dense_rank <= 20
"""


def main(home: str, ranges: str) -> None:
    """Run it over ranges of the queries, each in a transaction, into a file of its own."""
    folder, n_ranges = Path(home), int(ranges)
    target = folder / "trial.duckdb"
    target.unlink(missing_ok=True)
    runs = folder / "landed" / "runs" / "*.parquet"
    with duckdb.connect(str(folder / "warehouse.duckdb"), read_only=True) as source:
        bounds = [row[0] for row in source.execute(
            "select min(query_id) as lowest from (select query_id, ntile(?) over (order by query_id) as bucket"
            " from queries.queries) group by bucket order by lowest", [n_ranges]).fetchall()]
    with duckdb.connect(str(target)) as connection:
        connection.execute("set memory_limit = '6GB'; set threads = 2; set preserve_insertion_order = false")
        connection.execute("set enable_progress_bar = false")
        connection.execute(
            "create table trial (query_id varchar, doc_id varchar, dense_rank bigint, bm25_rank bigint,"
            " ngram5_rank bigint, rrf_score double, fused_rank bigint)"
        )
        with clock() as seen:
            for lowest, end in zip(bounds, [*bounds[1:], "~"], strict=True):
                connection.execute(STATEMENT.format(runs=runs, lowest=lowest, end=end))
        n_rows = connection.execute("select count(*) from trial").fetchone()[0]
    target.unlink()
    print(json.dumps({"cpu": seen.cpu, "wall": seen.wall, "rows": n_rows}))


if __name__ == "__main__":
    main(*sys.argv[1:])
