-- One row per rank that nDCG reads: its discount, and the DCG of a ranking that is relevant down to it.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
),

ranks_read as (
    select {{ explode(int_range(1, 'ndcg_depth')) }} as rank
    from rules
)

select
    rank,
    {{ discount('rank') }} as discount,
    sum({{ discount('rank') }}) over (order by rank) as ideal_dcg
from ranks_read
