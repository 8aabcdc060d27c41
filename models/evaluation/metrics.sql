-- One row per (model, dimensions): mean metrics over the test queries that have a relevant document.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
),

-- Queries whose training rows the model itself has seen: not 0 where a policy drew the split anew after training.
seen as (
    select model_id, query_id
    from {{ ref('stg_trained_pairs') }}
    where split = 'train'
    group by model_id, query_id
)

select
    metrics.model,
    metrics.dimensions,
    max(rules.ndcg_depth) as ndcg_depth,
    max(rules.recall_depth) as recall_depth,
    count(case when metrics.n_relevant > 0 then 1 end) as n_queries,
    count(case when metrics.n_relevant = 0 then 1 end) as n_without_relevant,
    count(seen.query_id) as n_seen_in_training,
    cast(sum(metrics.n_holes) as bigint) as n_holes,
    {{ exact_mean('case when metrics.n_relevant > 0 then metrics.ndcg end') }} as ndcg,
    {{ exact_mean('case when metrics.n_relevant > 0 then metrics.recall end') }} as recall,
    {{ exact_mean('case when metrics.n_relevant > 0 then metrics.judged end') }} as judged,
    {{ exact_mean('case when metrics.n_relevant > 0 then metrics.condensed_ndcg end') }} as condensed_ndcg,
    {{ exact_mean('case when metrics.n_relevant > 0 then metrics.filled_ndcg end') }} as filled_ndcg
from {{ ref('query_metrics') }} as metrics
cross join rules
left join seen
    on metrics.model = seen.model_id and metrics.query_id = seen.query_id
group by metrics.model, metrics.dimensions
