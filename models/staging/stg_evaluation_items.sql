-- One row per item of an evaluation set that no training query may leak, and norm version.
select
    eval_set,
    item_id,
    text,
    norm_version,
    query_key,
    canonical_key,
    n_tokens,
    shingles,
    landed_at
from {{ source('landed', 'evaluation_items') }}
