-- One row per (query_id, doc_id) without a label that a retriever put among its first: the gap to judge.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
)

select
    retrieved.query_id,
    retrieved.doc_id,
    min(retrieved.rank) as best_rank,
    count(*) as n_rankings
from {{ ref('retrieved') }} as retrieved
inner join rules
    on retrieved.rank <= rules.ndcg_depth
where not retrieved.is_judged
group by retrieved.query_id, retrieved.doc_id
