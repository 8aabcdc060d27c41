-- One row per (is_fixture, text_id, eval_set, item_id, method): a text so like an item that it counts as the item.
with

rules as (
    select leakage_rules.*
    from {{ ref('leakage_rules') }} as leakage_rules
    inner join {{ ref('active_policy') }} as active_policy
        on leakage_rules.policy = active_policy.policy
),

equal_keys as (
    select
        texts.is_fixture,
        texts.text_id,
        items.eval_set,
        items.item_id,
        'equality' as method,
        cast(1 as double) as similarity
    from {{ ref('compared_texts') }} as texts
    inner join {{ ref('compared_items') }} as items
        on texts.query_key = items.query_key and texts.is_fixture = items.is_fixture
),

equal_canonical_keys as (
    select
        texts.is_fixture,
        texts.text_id,
        items.eval_set,
        items.item_id,
        'canonical' as method,
        cast(1 as double) as similarity
    from {{ ref('compared_texts') }} as texts
    inner join {{ ref('compared_items') }} as items
        on texts.canonical_key = items.canonical_key and texts.is_fixture = items.is_fixture
),

-- Exhaustive: every pair that shares a 5-gram at all.
similar_texts as (
    select
        shared_grams.is_fixture,
        shared_grams.text_id,
        shared_grams.eval_set,
        shared_grams.item_id,
        'jaccard5' as method,
        cast(shared_grams.n_shared as double)
        / cast(texts.n_grams + items.n_grams - shared_grams.n_shared as double) as similarity
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
),

-- The shorter text is a subsequence of the other one, but for a share of its tokens.
subsequences as (
    select
        is_fixture,
        text_id,
        eval_set,
        item_id,
        'lcs' as method,
        cast(n_lcs as double) / cast(n_tokens as double) as similarity
    from {{ ref('overlapping_pairs') }}
    where n_lcs is not null
),

matches as (
    select * from equal_keys
    union all
    select * from equal_canonical_keys
    union all
    select * from similar_texts
    union all
    select * from subsequences
)

select
    matches.is_fixture,
    matches.text_id,
    matches.eval_set,
    matches.item_id,
    matches.method,
    matches.similarity
from matches
inner join rules
    on matches.method = rules.method and matches.similarity >= rules.min_similarity
