-- One row per (query_id, doc_id, ask) that the LLM is asked about a candidate, gaps apart: the texts shown.
select
    assignments.query_id,
    assignments.doc_id,
    assignments.stage,
    assignments.rule,
    assignments.label_round,
    assignments.ask,
    assignments.max_chars,
    queries.query_text,
    queries.query_sha256,
    substr(documents.text, 1, assignments.max_chars) as doc_text,
    {{ sha256_hex('substr(documents.text, 1, assignments.max_chars)') }} as doc_sha256
from {{ ref('candidate_assignments') }} as assignments
inner join {{ ref('queries') }} as queries
    on assignments.query_id = queries.query_id
inner join {{ ref('documents') }} as documents
    on assignments.doc_id = documents.doc_id
where assignments.judge = 'llm'
