-- One row per (model, query, document) pair that a relevance model saw, or held out.
select
    model_id,
    query_id,
    doc_id,
    split,
    label,
    raw_score,
    landed_at
from {{ source('landed', 'trained_pairs') }}
