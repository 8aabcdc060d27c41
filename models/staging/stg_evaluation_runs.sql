-- One row per hit of a retriever under evaluation.
select
    model,
    dimensions,
    fingerprint,
    query_id,
    rank,
    doc_id,
    score,
    landed_at
from {{ source('landed', 'evaluation_runs') }}
