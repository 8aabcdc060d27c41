-- One row per (query_id, doc_id, ask) that the LLM is asked about a candidate, gaps apart, and what it is shown.
{{ config(materialized='view') }}
select
    assignments.query_id,
    assignments.doc_id,
    assignments.stage,
    assignments.rule,
    assignments.label_round,
    assignments.ask,
    assignments.max_chars,
    queries.query_sha256,
    shown.doc_sha256
from {{ ref('candidate_assignments') }} as assignments
inner join {{ ref('queries') }} as queries
    on assignments.query_id = queries.query_id
inner join {{ ref('shown_documents') }} as shown
    on assignments.doc_id = shown.doc_id and assignments.max_chars = shown.max_chars
where assignments.judge = 'llm'
