-- One row per (query_id, eval_set, item_id, method): a kept query that an evaluation set holds.
with

rules as (
    select leakage_rules.*
    from {{ ref('leakage_rules') }} as leakage_rules
    inner join {{ ref('active_policy') }} as active_policy
        on leakage_rules.policy = active_policy.policy
),

kept as (
    select
        deduplicated.query_id,
        forms.query_key,
        forms.canonical_key,
        forms.shingles
    from {{ ref('deduplicated') }} as deduplicated
    inner join {{ ref('forms') }} as forms
        on deduplicated.query_sha256 = forms.query_sha256
    where deduplicated.query_id = deduplicated.kept_query_id
),

items as (
    select evaluation_items.*
    from {{ ref('stg_evaluation_items') }} as evaluation_items
    inner join {{ ref('versions') }} as versions
        on evaluation_items.norm_version = versions.norm_version
),

equal_keys as (
    select
        kept.query_id,
        items.eval_set,
        items.item_id,
        'equality' as method,
        cast(1 as double) as similarity
    from kept
    inner join items
        on kept.query_key = items.query_key
),

equal_canonical_keys as (
    select
        kept.query_id,
        items.eval_set,
        items.item_id,
        'canonical' as method,
        cast(1 as double) as similarity
    from kept
    inner join items
        on kept.canonical_key = items.canonical_key
),

-- Exhaustive: every pair that shares a 5-gram at all.
query_grams as (
    select query_id, {{ n_elements('shingles') }} as n_grams, {{ explode('shingles') }} as gram
    from kept
),

item_grams as (
    select
        eval_set, item_id, {{ n_elements('shingles') }} as n_grams, {{ explode('shingles') }} as gram
    from items
),

shared_grams as (
    select
        query_grams.query_id,
        item_grams.eval_set,
        item_grams.item_id,
        query_grams.n_grams + item_grams.n_grams as n_both,
        count(*) as n_shared
    from query_grams
    inner join item_grams
        on query_grams.gram = item_grams.gram
    group by
        query_grams.query_id,
        item_grams.eval_set,
        item_grams.item_id,
        query_grams.n_grams + item_grams.n_grams
),

similar_texts as (
    select
        query_id,
        eval_set,
        item_id,
        'jaccard5' as method,
        cast(n_shared as double) / cast(n_both - n_shared as double) as similarity
    from shared_grams
),

matches as (
    select * from equal_keys
    union all
    select * from equal_canonical_keys
    union all
    select * from similar_texts
)

select
    matches.query_id,
    matches.eval_set,
    matches.item_id,
    matches.method,
    matches.similarity
from matches
inner join rules
    on matches.method = rules.method and matches.similarity >= rules.min_similarity
