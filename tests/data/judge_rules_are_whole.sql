-- A judge rule that cannot mean what it says, and what is wrong with it.
with

checked as (
    select
        policy,
        rule,
        case
            when route is not null and (min_rank is null or max_rank is null) then 'a route without ranks'
            when route is not null and is_new is null then 'a route without is_new'
            when min_rank < 1 or min_rank > max_rank then 'an empty range of ranks'
            when max_reranker_rank < 1 then 'no reranker rank is that low'
            when judge = 'llm' and ask is null then 'an LLM rule without an ask'
            when judge = 'llm' and max_chars is null and label_round <> 'v2_gap' then 'an LLM rule without max_chars'
            when judge <> 'llm' and ask is not null then 'a model is never asked again'
            when unless_judge = judge then 'unless_judge names its own judge'
            when is_new and label_round <> 'v2_fused' then 'new candidates belong to the round v2_fused'
            when label_round = 'v2_fused' and not is_new then 'the round v2_fused is for new candidates'
        end as problem
    from {{ ref('judge_rules') }}
)

select *
from checked
where problem is not null
