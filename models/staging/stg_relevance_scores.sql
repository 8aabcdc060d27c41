-- One row per (query, document) pair and relevance model: its raw score.
select
    query_id,
    doc_id,
    model,
    raw_score,
    probability_0,
    probability_1,
    probability_2,
    landed_at
from {{ source('landed', 'relevance_scores') }}
