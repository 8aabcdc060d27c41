"""A home of generated facts: what is landed, and tables in the place of models above the hits.

Queries, documents, their lengths, the searches and the parsed replies are tables under the models' names and columns,
so that no text of millions of pages has to be made; every model from the hits on is the project's own.
"""

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from scale import landed

from mathpinpoint.warehouse import Warehouse

GAPS_PER_QUERY = 37_228 / landed.FULL_QUERIES
LONG_SHARE, ATTEMPTS = 10, 3  # one document in ten is long; a request fails so often before it is a gap
MODEL, VALIDITY = "scale-relevance", ("not_applicable", "minor_error", "correct")
SUBSTITUTED = """
create schema if not exists queries; create schema if not exists corpus;
create schema if not exists retrieval; create schema if not exists judging;
create or replace table queries.queries as
    select query_id, 'What is ' || query_id || '?' as query_text, sha256(query_id) as query_sha256, source_doc_id,
        false as is_merged_away, true as is_from_page_question, cast(null as varchar) as edit_ops, 1.0 as copied_share
    from made_queries;
create or replace table corpus.documents as
    select doc_id, doc_id as page_id, cast(null as varchar) as title, 'Solution ' || doc_id as text,
        cast(35 as bigint) as n_chars, false as is_multi_problem, cast(1 as bigint) as n_pages
    from made_documents;
create or replace table retrieval.document_lengths as
    select doc_id, cast(100 as bigint) as n_tokens, hash(doc_id) % {long} = 0 as is_long from made_documents;
create or replace table retrieval.searches as
    select route, query_id, query_text, query_sha256, fingerprint from queries.queries cross join made_routes;
create or replace table judging.source_requests as
    select query_id, source_doc_id as doc_id, rules.stage, rules.rule, rules.judge, rules.label_round, rules.ask,
        rules.max_chars, query_text, query_sha256, sha256(substr('Solution ' || source_doc_id, 1, rules.max_chars)) as doc_sha256
    from queries.queries cross join policy.judge_rules as rules
    inner join staging.active_policy using (policy) where rules.stage = 'source_page';
create or replace table judging.imported_labels as
    select cast(null as varchar) as release, cast(null as varchar) as query_id, cast(null as varchar) as doc_id,
        cast(null as varchar) as stage, cast(null as varchar) as label_round, cast(null as varchar) as judge,
        cast(null as double) as raw_score, cast(null as bigint) as dense_rank, cast(null as bigint) as fused_rank,
        true as is_query_evaluable, false as is_source_page, cast(null as bigint) as released_label,
        cast(null as bigint) as label, false as is_changed
    where false;
create or replace table judging.relevance_model as
    select '{model}' as model_id, cast(1 as bigint) as version, 'none' as path;
"""
# Replies to what is asked: attempts that all fail for some pairs of v1 (gaps), else the label drawn by hash.
REPLIES = """
create or replace table judging.replies as
with requests as (
    select query_id, doc_id, ask, stage, label_round, max_chars, query_sha256, doc_sha256 from judging.source_requests
    union all
    select query_id, doc_id, ask, stage, label_round, max_chars, query_sha256, doc_sha256 from judging.candidate_requests
    {gaps}
),
drawn as (
    select requests.*, hash(query_id || doc_id) % 100 as draw,
        label_round = 'v1' and stage in ('dense_top5', 'long_doc') and (hash(doc_id || query_id) % 1000000) < {failing} as is_failing
    from requests
),
tried as (
    select drawn.*, attempt, case when draw < 10 then 2 when draw < 16 then 1 else 0 end as drawn_label
    from drawn inner join (select unnest(range(1, {attempts} + 1)) as attempt) on attempt = 1 or is_failing
)
select
    sha256(query_id || doc_id || ask) as request_key, cast(attempt as bigint) as attempt, query_id, doc_id, query_sha256,
    doc_sha256, task.prompt_sha256, task.model, task.model as model_reported, task.parameters,
    max_chars as truncation_chars, task.layout, cast(1 as bigint) as position, cast(ask as bigint) as ask, label_round,
    stage, cast(2000 as bigint) as prompt_tokens, cast(200 as bigint) as completion_tokens,
    case when is_failing then 'invalid_json' else 'ok' end as outcome, false as is_repaired,
    case when not is_failing then true end as is_query_evaluable,
    case when not is_failing then cast(drawn_label as integer) end as label,
    case when not is_failing then case drawn_label when 2 then 'correct' when 1 then 'minor_error' else 'not_applicable' end end as answer_validity,
    case when not is_failing then case drawn_label when 2 then 'full_solution' when 1 then 'minor_math_error' else 'wrong_problem' end end as reason_codes,
    case when not is_failing then 0.5 + (draw % 50) / 100 end as confidence,
    case when not is_failing then 'The page of ' || doc_id || ' was read against the question ' || query_id || ', condition by condition.' end as rationale,
    true as is_consistent
from tried cross join judging.judge_task as task
"""
GAPS = """union all
    select asks.query_id, asks.doc_id, asks.ask, asks.stage, asks.label_round, asks.max_chars, queries.query_sha256, shown.doc_sha256
    from judging.asks as asks inner join queries.queries using (query_id)
    inner join judging.shown_documents as shown on asks.doc_id = shown.doc_id and asks.max_chars = shown.max_chars
    where asks.label_round = 'v2_gap'"""


def make(home: Path, part: int) -> dict[str, int]:
    """Land the hits of 1/`part` of the full size in a home whose seeds and staging are built; gives the counts."""
    warehouse = Warehouse(home)
    warehouse.create()
    n_queries, n_documents = landed.FULL_QUERIES // part, landed.FULL_DOCUMENTS // part
    query_ids, doc_ids = (landed.texts(landed.ids(p, n)) for p, n in (("p_", n_queries), ("d_", n_documents)))
    own = doc_ids.take(pa.array(landed.own_documents(np.arange(n_queries), n_documents)))
    n_hits = landed.land_runs(warehouse, query_ids, doc_ids)
    warehouse.build("--select", "path:seeds", "path:models/staging", "--exclude-resource-type", "unit_test", "test")
    made = {
        "made_queries": pa.table({"query_id": query_ids, "source_doc_id": own}),
        "made_documents": pa.table({"doc_id": doc_ids}),
        "made_routes": pa.table({"route": list(landed.NOISE), "fingerprint": [landed.fingerprint(r) for r in landed.NOISE]}),
    }
    with opened(home) as connection:
        for name, table in made.items():
            connection.register(name, table)
        connection.execute(SUBSTITUTED.format(long=LONG_SHARE, model=MODEL))
    return {"queries": n_queries, "documents": n_documents, "hits": n_hits}


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
        select assignments.query_id, assignments.doc_id, '{MODEL}' as model,
            2 * pow((hash(assignments.query_id || assignments.doc_id) % 1000003) / 1000003.0, 4) as raw_score,
            cast(null as double) as probability_0, cast(null as double) as probability_1, cast(null as double) as probability_2
        from judging.candidate_assignments as assignments
        where assignments.judge = 'rm8b' and not exists (select 1 from staging.stg_relevance_scores as scores
            where scores.query_id = assignments.query_id and scores.doc_id = assignments.doc_id)
    """)


def make_replies(home: Path, part: int, *, with_gaps: bool) -> int:
    """Make the parsed replies to all requests; gives how many there are."""
    with opened(home) as connection:
        n_pairs = connection.execute(
            "select count(*) from judging.candidate_assignments where stage in ('dense_top5', 'long_doc')"
        ).fetchone()[0]
        failing = round(1_000_000 * GAPS_PER_QUERY * (landed.FULL_QUERIES // part) / max(n_pairs, 1))
        sql = REPLIES.format(failing=failing, attempts=ATTEMPTS, gaps=GAPS if with_gaps else "")
        connection.execute(sql)
        return connection.execute("select count(*) from judging.replies").fetchone()[0]


def _land(home: Path, table: str, sql: str) -> int:
    warehouse = Warehouse(home)
    shard = f"scale-{len(list((warehouse.landed / table).glob('*.parquet'))):04d}"
    with opened(home) as connection:
        return landed.land_rows(warehouse, table, shard, connection.sql(sql).to_arrow_reader(500_000))
