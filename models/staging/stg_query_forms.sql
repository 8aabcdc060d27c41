-- One row per query text: its keys and shingles for dedup and leakage.
select
    query_sha256,
    norm_version,
    query_key,
    canonical_key,
    n_tokens,
    shingles,
    landed_at
from {{ source('landed', 'query_forms') }}
