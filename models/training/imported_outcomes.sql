-- One row per (release, query_id) of an imported release: its training row as counted, or why there is none.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
),

counted as (
    select
        queries.release,
        queries.query_id,
        cast(sum(cast(coalesce(usable.is_positive, false) as integer)) as bigint) as n_positives,
        cast(sum(cast(coalesce(usable.is_negative, false) as integer)) as bigint) as n_negatives
    from {{ ref('stg_imported_queries') }} as queries
    left join {{ ref('imported_usable_pairs') }} as usable
        on queries.release = usable.release and queries.query_id = usable.query_id
    group by queries.release, queries.query_id
),

unevaluable as (
    select release, query_id
    from {{ ref('imported_labels') }}
    where not is_query_evaluable
    group by release, query_id
)

select
    counted.release,
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
    on counted.release = splits.release and counted.query_id = splits.query_id
left join unevaluable
    on counted.release = unevaluable.release and counted.query_id = unevaluable.query_id
