-- One row per pair of the reranker's pool without a score: the work list of landed.reranker_scores.
{{ config(materialized='view') }}
select
    pool.query_id,
    pool.doc_id,
    queries.query_text,
    documents.text as doc_text
from {{ ref('reranker_pool') }} as pool
inner join {{ ref('queries') }} as queries
    on pool.query_id = queries.query_id
inner join {{ ref('documents') }} as documents
    on pool.doc_id = documents.doc_id
left join {{ ref('reranker_ranks') }} as ranks
    on pool.query_id = ranks.query_id and pool.doc_id = ranks.doc_id
where ranks.query_id is null
