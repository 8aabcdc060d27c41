-- A rank and length that a candidate rule admits and for which the policy has no judge rule free of the
-- reranker: seen in the seeds alone, before there is any candidate.
with

admitted as (
    select
        policy,
        rule as candidate_rule,
        route,
        is_new,
        {{ explode(int_range('1', 'max_rank')) }} as rank
    from {{ ref('candidate_rules') }}
),

lengths as (
    select 'short' as doc_length
    union all
    select 'long' as doc_length
)

select
    admitted.policy,
    admitted.candidate_rule,
    admitted.rank,
    lengths.doc_length
from admitted
cross join lengths
left join {{ ref('judge_rules') }} as rules
    on
        admitted.policy = rules.policy
        and admitted.route = rules.route
        and admitted.is_new = rules.is_new
        and admitted.rank between rules.min_rank and rules.max_rank
        and coalesce(rules.doc_length, lengths.doc_length) = lengths.doc_length
        and rules.max_reranker_rank is null
where rules.rule is null
