-- One row per query text, evaluation item and norm version: the length of their longest common subsequence.
select
    query_sha256,
    eval_set,
    item_id,
    norm_version,
    n_lcs,
    n_query_tokens,
    n_item_tokens,
    landed_at
from {{ source('landed', 'leak_overlaps') }}
