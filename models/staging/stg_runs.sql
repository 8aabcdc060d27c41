-- One row per hit of a search; a search without hits is one row of null rank.
select
    query_id,
    route,
    fingerprint,
    engine,
    rank,
    doc_id,
    score_fixed,
    score,
    n_match,
    landed_at
from {{ source('landed', 'runs') }}
