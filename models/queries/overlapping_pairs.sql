-- One row per (is_fixture, text_id, eval_set, item_id) whose longest common subsequence is wanted, null until landed.
with

rules as (
    select leakage_rules.*
    from {{ ref('leakage_rules') }} as leakage_rules
    inner join {{ ref('active_policy') }} as active_policy
        on leakage_rules.policy = active_policy.policy
    where leakage_rules.method = 'lcs'
)

select
    shared_grams.is_fixture,
    shared_grams.text_id,
    shared_grams.eval_set,
    shared_grams.item_id,
    texts.query_sha256,
    texts.canonical_key as query_tokens,
    items.canonical_key as item_tokens,
    least(texts.n_tokens, items.n_tokens) as n_tokens,
    landed.n_lcs
from {{ ref('shared_grams') }} as shared_grams
inner join {{ ref('compared_texts') }} as texts
    on
        shared_grams.is_fixture = texts.is_fixture
        and shared_grams.text_id = texts.text_id
inner join {{ ref('compared_items') }} as items
    on
        shared_grams.is_fixture = items.is_fixture
        and shared_grams.eval_set = items.eval_set
        and shared_grams.item_id = items.item_id
cross join rules
cross join {{ ref('versions') }} as versions
left join {{ ref('stg_leak_overlaps') }} as landed
    on
        texts.query_sha256 = landed.query_sha256
        and shared_grams.eval_set = landed.eval_set
        and shared_grams.item_id = landed.item_id
        and versions.norm_version = landed.norm_version
where
    shared_grams.n_seeds > 0
    and shared_grams.n_seeds >= rules.min_gram_share * least(texts.n_grams, items.n_grams)
    and least(texts.n_tokens, items.n_tokens) >= rules.min_tokens
