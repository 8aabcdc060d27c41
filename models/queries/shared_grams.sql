-- One row per (is_fixture, text_id, eval_set, item_id) that share a 5-gram: how many, and how many are no boilerplate.
with

rules as (
    select max(leakage_rules.max_gram_items) as max_gram_items
    from {{ ref('leakage_rules') }} as leakage_rules
    inner join {{ ref('active_policy') }} as active_policy
        on leakage_rules.policy = active_policy.policy
    where leakage_rules.method = 'lcs'
),

text_grams as (
    select is_fixture, text_id, {{ explode('shingles') }} as gram
    from {{ ref('compared_texts') }}
),

item_grams as (
    select is_fixture, eval_set, item_id, {{ explode('shingles') }} as gram
    from {{ ref('compared_items') }}
),

-- A gram that many items of one set hold is their template: it is no sign of one of them.
gram_counts as (
    select is_fixture, eval_set, gram, count(*) as n_items
    from item_grams
    group by is_fixture, eval_set, gram
),

marked_grams as (
    select
        item_grams.is_fixture,
        item_grams.eval_set,
        item_grams.item_id,
        item_grams.gram,
        case when gram_counts.n_items <= rules.max_gram_items then 1 else 0 end as is_seed
    from item_grams
    inner join gram_counts
        on
            item_grams.is_fixture = gram_counts.is_fixture
            and item_grams.eval_set = gram_counts.eval_set
            and item_grams.gram = gram_counts.gram
    cross join rules
)

select
    text_grams.is_fixture,
    text_grams.text_id,
    marked_grams.eval_set,
    marked_grams.item_id,
    count(*) as n_shared,
    cast(sum(marked_grams.is_seed) as bigint) as n_seeds
from text_grams
inner join marked_grams
    on
        text_grams.gram = marked_grams.gram
        and text_grams.is_fixture = marked_grams.is_fixture
group by
    text_grams.is_fixture,
    text_grams.text_id,
    marked_grams.eval_set,
    marked_grams.item_id
