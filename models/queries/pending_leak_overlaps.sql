-- One row per (query_sha256, eval_set, item_id) not overlapped yet: the work list of landed.leak_overlaps.
select
    query_sha256,
    eval_set,
    item_id,
    query_tokens,
    item_tokens
from {{ ref('overlapping_pairs') }}
where n_lcs is null
group by query_sha256, eval_set, item_id, query_tokens, item_tokens
