-- One row per query: its training row's positive and negatives as counted, or the reason why there is none.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
),

counted as (
    select
        queries.query_id,
        cast(sum(cast(coalesce(usable.is_positive, false) as integer)) as bigint) as n_positives,
        cast(sum(cast(coalesce(usable.is_negative, false) as integer)) as bigint) as n_negatives
    from {{ ref('queries') }} as queries
    left join {{ ref('usable_pairs') }} as usable
        on queries.query_id = usable.query_id
    group by queries.query_id
)

select
    counted.query_id,
    counted.n_positives,
    counted.n_negatives,
    case
        when splits.split <> 'train' then 'held_out'
        when counted.n_positives + counted.n_negatives = 0 and unevaluable.query_id is not null
            then 'not_evaluable'
        when counted.n_positives = 0 then 'no_positive'
        when counted.n_negatives < rules.n_negatives then 'too_few_negatives'
    end as reason
from counted
cross join rules
inner join {{ ref('splits') }} as splits
    on counted.query_id = splits.query_id and splits.release = ''
left join {{ ref('unevaluable_queries') }} as unevaluable
    on counted.query_id = unevaluable.query_id
