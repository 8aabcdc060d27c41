-- One row per pair of near-duplicate documents: does the mathematics conflict?
select
    doc_a,
    doc_b,
    guard_version,
    is_conflict,
    conflict,
    n_tokens_only_a,
    n_tokens_only_b,
    landed_at
from {{ source('landed', 'duplicate_verdicts') }}
