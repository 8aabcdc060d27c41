-- One row per sampled query of an approximate search: how many of the exact hits it found.
select
    query_id,
    route,
    fingerprint,
    engine,
    parameters,
    n_exact,
    n_found,
    n_found_wider,
    landed_at
from {{ source('landed', 'recall_checks') }}
