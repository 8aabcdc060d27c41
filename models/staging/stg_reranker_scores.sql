-- One row per (query, document) pair and reranker: its zero-shot score.
select
    query_id,
    doc_id,
    model,
    score,
    landed_at
from {{ source('landed', 'reranker_scores') }}
