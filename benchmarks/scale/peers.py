"""The fusion and candidates of a home's landed hits by other programs; a process of its own.

Usage: python peers.py SYSTEM HOME QUERIES, over the first QUERIES queries. Writes HOME/peer.parquet (query_id, doc_id,
fused_rank of each candidate) and prints a JSON object: seconds of CPU and wall, from the landed shards to the rows.
"""

import json
import sys
from pathlib import Path

from measure import clock
from scale import shape, trial

ROUTES = tuple(shape.WEIGHTS)
DIGITS = 12  # of a score, so that sums of the same terms are equal in whatever order they were added


def in_polars(runs: str, last: str):
    """A lazy query by the streaming engine."""
    import polars as pl

    ranks = [f"{route}_rank" for route in ROUTES]
    score = [pl.lit(shape.WEIGHTS[route]) / (shape.RRF_K + pl.col(f"{route}_rank")) for route in ROUTES]
    wide = (
        pl.scan_parquet(runs, cast_options=pl.ScanCastOptions(categorical_to_string="allow"))
        .filter(pl.col("query_id") <= last, pl.col("rank").is_not_null())
        .select("query_id", "doc_id", *(
            pl.when(pl.col("route") == route).then("rank").alias(f"{route}_rank") for route in ROUTES
        ))
        .group_by("query_id", "doc_id").agg(pl.col(ranks).max())
        .with_columns(
            score=(score[0].fill_null(0) + score[1].fill_null(0) + score[2].fill_null(0)).round(DIGITS),
            best=pl.min_horizontal(ranks),
        )
        .sort("query_id", "score", "best", "doc_id", descending=[False, True, False, False])
        .with_columns(fused_rank=pl.int_range(1, pl.len() + 1).over("query_id"))
    )
    is_kept = (pl.col("fused_rank") <= shape.FUSED_CUT) | (pl.col("dense_rank") <= shape.DENSE_CUT)
    return wide.filter(is_kept).select("query_id", "doc_id", "fused_rank").collect(engine="streaming").to_arrow()


def in_pandas(runs: str, last: str):
    """Frames joined on the pair."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.dataset as ds

    rows = _rows(ds, runs, last).to_pandas()
    sides = [
        rows[rows.route == route].set_index(["query_id", "doc_id"])["rank"].rename(f"{route}_rank") for route in ROUTES
    ]
    wide = pd.concat(sides, axis=1).reset_index()
    wide["score"] = sum((shape.WEIGHTS[r] / (shape.RRF_K + wide[f"{r}_rank"])).fillna(0) for r in ROUTES).round(DIGITS)
    wide["best"] = wide[[f"{route}_rank" for route in ROUTES]].min(axis=1)
    wide = wide.sort_values(["query_id", "score", "best", "doc_id"], ascending=[True, False, True, True])
    wide["fused_rank"] = wide.groupby("query_id").cumcount() + 1
    kept = wide[(wide.fused_rank <= shape.FUSED_CUT) | (wide.dense_rank <= shape.DENSE_CUT)]
    return pa.Table.from_pandas(kept[["query_id", "doc_id", "fused_rank"]], preserve_index=False)


def in_ranx(runs: str, last: str):
    """Reciprocal rank fusion with the dense run given twice; equal scores keep no order of theirs."""
    import pyarrow as pa
    import pyarrow.dataset as ds
    from ranx import Run, fuse

    found = {route: {} for route in ROUTES}
    for row in _rows(ds, runs, last).to_pylist():
        found[row["route"]].setdefault(row["query_id"], {})[row["doc_id"]] = shape.N_SLOTS - row["rank"]
    made = [Run(found["dense"]), *(Run(found[route]) for route in ROUTES)]
    fused = fuse(runs=made, norm=None, method="rrf", params={"k": shape.RRF_K}).to_dict()
    kept = []
    for query_id, scores in fused.items():
        dense = found["dense"][query_id]
        for place, doc_id in enumerate(sorted(scores, key=scores.get, reverse=True), 1):
            if place <= shape.FUSED_CUT or dense.get(doc_id, 0) >= shape.N_SLOTS - shape.DENSE_CUT:
                kept.append({"query_id": query_id, "doc_id": doc_id, "fused_rank": place})
    return pa.Table.from_pylist(kept)


def in_spark(runs: str, last: str):
    """The statement of trial.py on local[2]."""
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", 8).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.read.parquet(runs).createOrReplaceTempView("runs")
    sql = trial.STATEMENT.replace("insert into trial", "").replace("::double", "D")
    sql = sql.replace("read_parquet('{runs}')", "runs").format(lowest="", end=last + "~")
    return spark.sql(sql).select("query_id", "doc_id", "fused_rank").toArrow()


def _rows(ds, runs: str, last: str):
    """The hits of the queries up to `last`, as Arrow."""
    wanted = (ds.field("query_id") <= last) & ds.field("rank").is_valid()
    folder = ds.dataset(str(Path(runs).parent), format="parquet")
    return folder.to_table(columns=["query_id", "doc_id", "route", "rank"], filter=wanted)


SYSTEMS = {"polars": in_polars, "pandas": in_pandas, "ranx": in_ranx, "pyspark": in_spark}


def main(system: str, home: str, n_queries: str) -> None:
    """Run one system, warmed up on the first query, and write what it found."""
    import duckdb
    import pyarrow.parquet as pq

    folder = Path(home)
    with duckdb.connect(str(folder / "warehouse.duckdb"), read_only=True) as source:
        ids = [row[0] for row in source.execute(
            "select query_id from queries.queries order by query_id limit ?", [int(n_queries)]).fetchall()]
    runs = str(folder / "landed" / "runs" / "*.parquet")
    SYSTEMS[system](runs, ids[0])
    with clock() as seen:
        found = SYSTEMS[system](runs, ids[-1])
    pq.write_table(found, folder / "peer.parquet")
    print(json.dumps({"cpu": seen.cpu, "wall": seen.wall, "rows": found.num_rows, "last": ids[-1]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
