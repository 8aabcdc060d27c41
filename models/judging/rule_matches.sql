-- One row per (query_id, doc_id, rule): the routing rules that a candidate meets before any reranking.
with

rules as (
    select judge_rules.*
    from {{ ref('judge_rules') }} as judge_rules
    inner join {{ ref('active_policy') }} as active_policy
        on judge_rules.policy = active_policy.policy
    where judge_rules.route is not null
)

select
    candidates.query_id,
    candidates.doc_id,
    rules.rule,
    rules.stage,
    rules.judge,
    rules.max_reranker_rank,
    rules.unless_judge,
    rules.max_chars,
    rules.ask,
    rules.label_round
from {{ ref('candidates') }} as candidates
inner join rules
    on
        candidates.is_new = rules.is_new
        and case
            when rules.route = 'dense' then candidates.dense_rank
            else candidates.fused_rank
        end between rules.min_rank and rules.max_rank
        and coalesce(rules.doc_length, case when candidates.is_long then 'long' else 'short' end)
        = case when candidates.is_long then 'long' else 'short' end
where candidates.is_new or candidates.rule = 'base'
