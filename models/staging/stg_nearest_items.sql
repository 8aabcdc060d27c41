-- One row per evaluation set, query text and encoder: the item of the set nearest in meaning.
select
    eval_set,
    query_sha256,
    model,
    item_id,
    cosine,
    landed_at
from {{ source('landed', 'nearest_items') }}
