-- A label of a round that no judge rule of the active policy makes.
select
    judgments.query_id,
    judgments.doc_id,
    judgments.label_round
from {{ ref('judgments') }} as judgments
cross join {{ ref('active_policy') }} as active_policy
left join (
    select policy, label_round from {{ ref('judge_rules') }} group by policy, label_round
) as rounds
    on active_policy.policy = rounds.policy and judgments.label_round = rounds.label_round
where rounds.policy is null
