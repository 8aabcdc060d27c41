-- One row per (is_fixture, eval_set, item_id): an item that no query may hold, of an evaluation set or of the fixture.
with

fixture_items as (
    select
        item_id,
        item_text
    from {{ ref('leakage_pairs') }}
    group by item_id, item_text
)

select
    false as is_fixture,
    items.eval_set,
    items.item_id,
    items.text as item_text,
    {{ sha256_hex('items.text') }} as item_sha256,
    items.query_key,
    items.canonical_key,
    items.n_tokens,
    items.shingles,
    {{ n_elements('items.shingles') }} as n_grams
from {{ ref('stg_evaluation_items') }} as items
inner join {{ ref('versions') }} as versions
    on items.norm_version = versions.norm_version
union all
select
    true as is_fixture,
    'leakage_pairs' as eval_set,
    items.item_id,
    items.item_text,
    forms.query_sha256 as item_sha256,
    forms.query_key,
    forms.canonical_key,
    forms.n_tokens,
    forms.shingles,
    {{ n_elements('forms.shingles') }} as n_grams
from fixture_items as items
inner join {{ ref('forms') }} as forms
    on {{ sha256_hex('items.item_text') }} = forms.query_sha256
