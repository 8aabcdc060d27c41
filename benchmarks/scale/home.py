"""A home of generated facts, and what a judge, a reranker and a relevance model would answer to what the models ask."""

import os
import threading
from pathlib import Path

import duckdb
import pyarrow as pa
from scale import generate, shape

from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import Warehouse

ATTEMPTS = 3  # a request fails so often before it is a gap
MODEL = "scale-relevance"
ABOVE = (
    "document_lengths", "corpus_fingerprint", "versions", "searches", "judge_task", "shown_documents",
    "source_requests", "relevance_model",
)
ONLY_MODELS = ("--exclude-resource-type", "unit_test", "test", "--cache-selected-only", "--no-write-json")
NOTHING_IMPORTED = """
create or replace table judging.imported_labels as
select cast(null as varchar) as release, cast(null as varchar) as query_id, cast(null as varchar) as doc_id,
    cast(null as varchar) as stage, cast(null as varchar) as label_round, cast(null as varchar) as judge,
    cast(null as double) as raw_score, cast(null as bigint) as dense_rank, cast(null as bigint) as fused_rank,
    true as is_query_evaluable, false as is_source_page, cast(null as bigint) as released_label,
    cast(null as bigint) as label, false as is_changed
where false
"""
# Replies to what is asked: attempts that all fail for some pairs of v1 (gaps), else the label drawn by hash.
REPLIES = """
create or replace table judging.replies as
with requests as (
    select query_id, doc_id, ask, stage, label_round, max_chars, query_sha256, doc_sha256
    from judging.source_requests
    union all
    select query_id, doc_id, ask, stage, label_round, max_chars, query_sha256, doc_sha256
    from judging.candidate_requests
    {gaps}
),
drawn as (
    select
        requests.*,
        hash(query_id || doc_id) % 100 as draw,
        label_round = 'v1' and stage in ('dense_top5', 'long_doc')
        and (hash(doc_id || query_id) % 1000000) < {failing} as is_failing
    from requests
),
tried as (
    select drawn.*, attempt, case when draw < 10 then 2 when draw < 16 then 1 else 0 end as drawn_label
    from drawn
    inner join (select unnest(range(1, {attempts} + 1)) as attempt) on attempt = 1 or is_failing
),
answers as (
    select *
    from (values
        (2, 'correct', 'full_solution'), (1, 'minor_error', 'minor_math_error'), (0, 'not_applicable', 'wrong_problem')
    ) as answers (drawn_label, answer_validity, reason_codes)
)
select
    sha256(query_id || doc_id || ask) as request_key, cast(attempt as bigint) as attempt, query_id, doc_id,
    query_sha256, doc_sha256, task.prompt_sha256, task.model, task.model as model_reported, task.parameters,
    max_chars as truncation_chars, task.layout, cast(1 as bigint) as position, cast(ask as bigint) as ask,
    label_round, stage, cast(2000 as bigint) as prompt_tokens, cast(200 as bigint) as completion_tokens,
    case when is_failing then 'invalid_json' else 'ok' end as outcome, false as is_repaired,
    case when not is_failing then true end as is_query_evaluable,
    case when not is_failing then cast(drawn_label as integer) end as label,
    case when not is_failing then answer_validity end as answer_validity,
    case when not is_failing then reason_codes end as reason_codes,
    case when not is_failing then 0.5 + (draw % 50) / 100 end as confidence,
    case
        when not is_failing
            then 'The page of ' || doc_id || ' was read against the question ' || query_id || ', line by line.'
    end as rationale,
    true as is_consistent
from tried
inner join answers using (drawn_label)
cross join judging.judge_task as task
"""
GAPS = """union all
    select
        asks.query_id, asks.doc_id, asks.ask, asks.stage, asks.label_round, asks.max_chars, queries.query_sha256,
        shown.doc_sha256
    from judging.asks as asks
    inner join queries.queries using (query_id)
    inner join judging.shown_documents as shown on asks.doc_id = shown.doc_id and asks.max_chars = shown.max_chars
    where asks.label_round = 'v2_gap'"""


def make(home: Path, share: float) -> dict[str, int]:
    """Land hits at a share of the full size and build what stands above them, under policy v1; gives the counts."""
    warehouse = Warehouse(home)
    warehouse.create()
    os.environ["MATHPINPOINT_POLICY"] = "v1"
    land_model(warehouse)
    warehouse.build("--select", "path:seeds", "path:models/staging", *ONLY_MODELS)
    web = generate.Web(share)
    generate.upstream(home, web)
    warehouse.build("--select", *ABOVE, *ONLY_MODELS)
    n_hits = generate.land_hits(home, web)
    with opened(home) as connection:
        connection.execute(NOTHING_IMPORTED)
    return {"queries": web.n_queries, "documents": web.n_documents, "hits": n_hits, "new": web.n_new()}


def land_model(warehouse: Warehouse) -> None:
    """Land the row of a relevance model that has been trained."""
    schema = pa.schema([field for field in LANDED["trained_models"].schema if field.name != "landed_at"])
    row = {name: None for name in schema.names} | {
        "model_id": MODEL, "role": "relevance_model", "base_model": "tiny-qwen3", "version": 1, "path": "models/none",
    }
    warehouse.land("trained_models", "scale", [pa.RecordBatch.from_pylist([row], schema=schema)], {})


class Spilled(threading.Thread):
    """The most bytes that lay in a folder while it was watched."""

    def __init__(self, folder: Path):
        super().__init__(daemon=True)
        self.folder, self.most, self.ended = folder, 0, threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.2):
            try:
                self.most = max(self.most, folder_bytes(self.folder))
            except FileNotFoundError:
                continue  # a file that went while it was counted


def folder_bytes(folder: Path) -> int:
    """Bytes of the files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def opened(home: Path) -> duckdb.DuckDBPyConnection:
    """The warehouse file, to be written."""
    connection = duckdb.connect(str(home / "warehouse.duckdb"))
    connection.execute(f"set memory_limit = '5GB'; set threads = 2; set temp_directory = '{home}/spill'")
    connection.execute("set preserve_insertion_order = false")
    return connection


def land_reranker_scores(home: Path) -> int:
    """Land a score for each pair of the pool that has none."""
    return _land(home, "reranker_scores", """
        select pool.query_id, pool.doc_id, (select reranker from staging.active_policy) as model,
            (hash(pool.doc_id || pool.query_id) % 1000003) / 1000003.0 as score
        from judging.reranker_pool as pool
        where not exists (select 1 from staging.stg_reranker_scores as scores
            where scores.query_id = pool.query_id and scores.doc_id = pool.doc_id)
    """)


def land_relevance_scores(home: Path) -> int:
    """Land a raw score for each pair assigned to the relevance model that has none."""
    return _land(home, "relevance_scores", f"""
        select
            assignments.query_id, assignments.doc_id, '{MODEL}' as model,
            2 * pow((hash(assignments.query_id || assignments.doc_id) % 1000003) / 1000003.0, 4) as raw_score,
            cast(null as double) as probability_0, cast(null as double) as probability_1,
            cast(null as double) as probability_2
        from judging.candidate_assignments as assignments
        where assignments.judge = 'rm8b' and not exists (select 1 from staging.stg_relevance_scores as scores
            where scores.query_id = assignments.query_id and scores.doc_id = assignments.doc_id)
    """)


def make_replies(home: Path, *, with_gaps: bool) -> int:
    """Make the parsed replies to all requests; gives how many there are."""
    with opened(home) as connection:
        n_queries, n_pairs = connection.execute(
            "select (select count(*) from queries.queries), count(*) from judging.candidate_assignments"
            " where stage in ('dense_top5', 'long_doc')"
        ).fetchone()
        failing = round(1_000_000 * shape.N_GAPS / shape.N_QUERIES * n_queries / max(n_pairs, 1))
        sql = REPLIES.format(failing=failing, attempts=ATTEMPTS, gaps=GAPS if with_gaps else "")
        connection.execute(sql)
        return connection.execute("select count(*) from judging.replies").fetchone()[0]


def _land(home: Path, table: str, sql: str) -> int:
    warehouse = Warehouse(home)
    shard = f"scale-{len(list((warehouse.landed / table).glob('*.parquet'))):04d}"
    schema = pa.schema([field for field in LANDED[table].schema if field.name != "landed_at"])
    with opened(home) as connection:
        rows = connection.sql(sql).to_arrow_reader(500_000)
        return warehouse.land(table, shard, (batch.select(schema.names).cast(schema) for batch in rows), {})
