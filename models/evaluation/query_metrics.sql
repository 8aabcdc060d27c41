-- One row per (model, dimensions, query_id): the metrics of one ranking; what is not judged counts as not relevant.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
),

relevant as (
    select judgments.query_id, count(*) as n_relevant
    from {{ ref('judgments') }} as judgments
    inner join rules
        on judgments.label = rules.relevant_label
    group by judgments.query_id
),

found as (
    select
        retrieved.model,
        retrieved.dimensions,
        retrieved.query_id,
        coalesce(max(relevant.n_relevant), 0) as n_relevant,
        count(case when retrieved.rank <= rules.ndcg_depth and not retrieved.is_judged then 1 end) as n_holes,
        count(case when retrieved.rank <= rules.ndcg_depth and retrieved.is_judged then 1 end) as n_judged,
        count(case when retrieved.rank <= rules.recall_depth and retrieved.is_relevant then 1 end) as n_found,
        sum(case when retrieved.is_relevant then plain.discount end) as dcg,
        sum(case when retrieved.is_relevant then condensed.discount end) as condensed_dcg,
        sum(case when retrieved.is_relevant or not retrieved.is_judged then plain.discount end) as filled_dcg
    from {{ ref('retrieved') }} as retrieved
    cross join rules
    left join relevant
        on retrieved.query_id = relevant.query_id
    left join {{ ref('discounts') }} as plain
        on retrieved.rank = plain.rank
    left join {{ ref('discounts') }} as condensed
        on retrieved.condensed_rank = condensed.rank
    group by retrieved.model, retrieved.dimensions, retrieved.query_id
)

select
    found.model,
    found.dimensions,
    found.query_id,
    found.n_relevant,
    found.n_holes,
    coalesce(cast(found.dcg as double) / cast(ideal.ideal_dcg as double), 0) as ndcg,
    case
        when found.n_relevant > 0 then cast(found.n_found as double) / found.n_relevant else 0
    end as recall,
    cast(found.n_judged as double) / (found.n_judged + found.n_holes) as judged,
    coalesce(cast(found.condensed_dcg as double) / cast(ideal.ideal_dcg as double), 0) as condensed_ndcg,
    -- As if every unjudged document among the first were relevant; the ideal ranking knows them too.
    coalesce(cast(found.filled_dcg as double) / cast(filled.ideal_dcg as double), 0) as filled_ndcg
from found
cross join rules
left join {{ ref('discounts') }} as ideal
    on least(found.n_relevant, rules.ndcg_depth) = ideal.rank
left join {{ ref('discounts') }} as filled
    on least(found.n_relevant + found.n_holes, rules.ndcg_depth) = filled.rank
