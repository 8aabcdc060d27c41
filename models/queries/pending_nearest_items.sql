-- One row per (eval_set, query_sha256) whose nearest item is not known: the work list of landed.nearest_items.
select
    eval_set,
    query_sha256
from {{ ref('nearest_items') }}
where item_id is null
group by eval_set, query_sha256
