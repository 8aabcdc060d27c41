-- One row per (method, change): labelled pairs of this change, and those that the method finds ('any': one of them).
with

rules as (
    select leakage_rules.method
    from {{ ref('leakage_rules') }} as leakage_rules
    inner join {{ ref('active_policy') }} as active_policy
        on leakage_rules.policy = active_policy.policy
    where leakage_rules.method <> 'semantic'
),

methods as (
    select method from rules
    union all
    select 'any' as method
),

found as (
    select text_id, item_id, method
    from {{ ref('likenesses') }}
    where is_fixture
    union all
    select text_id, item_id, 'any' as method
    from {{ ref('likenesses') }}
    where is_fixture
    group by text_id, item_id
),

-- Pairs whose forms have landed.
pairs as (
    select
        pairs.pair_id,
        pairs.item_id,
        pairs.change,
        pairs.label
    from {{ ref('leakage_pairs') }} as pairs
    inner join {{ ref('compared_texts') }} as texts
        on pairs.pair_id = texts.text_id and texts.is_fixture
)

select
    methods.method,
    pairs.change,
    pairs.label,
    count(*) as n_pairs,
    count(found.text_id) as n_found
from pairs
cross join methods
left join found
    on
        pairs.pair_id = found.text_id
        and pairs.item_id = found.item_id
        and methods.method = found.method
group by methods.method, pairs.change, pairs.label
