-- One row per (query_id, eval_set): the item nearest in meaning to a query that no text method found, null until landed.
with

sets as (
    select eval_set
    from {{ ref('compared_items') }}
    where not is_fixture
    group by eval_set
)

select
    screened.query_id,
    screened.query_sha256,
    screened.query_text,
    sets.eval_set,
    nearest.item_id,
    nearest.cosine,
    items.item_text,
    items.item_sha256,
    coalesce(nearest.cosine >= rule.min_cosine, false) as is_near
from {{ ref('text_screened') }} as screened
cross join {{ ref('semantic_rule') }} as rule
cross join sets
left join {{ ref('stg_nearest_items') }} as nearest
    on
        screened.query_sha256 = nearest.query_sha256
        and sets.eval_set = nearest.eval_set
        and rule.encoder = nearest.model
left join {{ ref('compared_items') }} as items
    on
        nearest.eval_set = items.eval_set
        and nearest.item_id = items.item_id
        and not items.is_fixture
where screened.reason is null
