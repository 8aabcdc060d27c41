-- One row per pair assigned to the relevance model in use without its score: the work list of landed.relevance_scores.
{{ config(materialized='view') }}
select
    assignments.query_id,
    assignments.doc_id,
    queries.query_text,
    documents.text as doc_text
from {{ ref('assignments') }} as assignments
inner join {{ ref('queries') }} as queries
    on assignments.query_id = queries.query_id
inner join {{ ref('documents') }} as documents
    on assignments.doc_id = documents.doc_id
left join {{ ref('model_scores') }} as scores
    on assignments.query_id = scores.query_id and assignments.doc_id = scores.doc_id
where assignments.judge = 'rm8b' and scores.query_id is null
