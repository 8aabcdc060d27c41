-- One row per (kind, id): every text that the encoder must embed.
select
    'document' as kind,
    doc_id as id,
    {{ sha256_hex('text') }} as text_sha256,
    text
from {{ ref('documents') }}
union all
-- Compared with evaluation items by meaning, where the policy wants it; else only the queries that are searched.
select
    'query' as kind,
    screened.query_id as id,
    screened.query_sha256 as text_sha256,
    screened.query_text as text
from {{ ref('text_screened') }} as screened
left join {{ ref('semantic_rule') }} as rule
    on screened.reason is null
left join {{ ref('queries') }} as queries
    on screened.query_id = queries.query_id
where rule.encoder is not null or queries.query_id is not null
union all
select
    'evaluation_item' as kind,
    items.eval_set || ' ' || items.item_id as id,
    items.item_sha256 as text_sha256,
    items.item_text as text
from {{ ref('compared_items') }} as items
cross join {{ ref('semantic_rule') }} as rule
where not items.is_fixture
