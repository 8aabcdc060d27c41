-- One row per (day, stage): the share of solutions among the LLM's labels, and an alarm where other days differ.
with

rules as (
    select audit_rules.*
    from {{ ref('audit_rules') }} as audit_rules
    inner join {{ ref('active_policy') }} as active_policy
        on audit_rules.policy = active_policy.policy
),

days as (
    select
        cast(replies.sent_at as date) as sent_on,
        judgments.stage,
        count(*) as n_judgments,
        cast(sum(case when judgments.label = 2 then 1 else 0 end) as bigint) as n_solutions
    from {{ ref('judgments') }} as judgments
    inner join {{ ref('stg_llm_replies') }} as replies
        on judgments.request_key = replies.request_key and judgments.attempt = replies.attempt
    where judgments.judge = 'llm'
    group by cast(replies.sent_at as date), judgments.stage
),

others as (
    select
        sent_on,
        stage,
        n_judgments,
        n_solutions,
        cast(sum(n_judgments) over (partition by stage) as bigint) - n_judgments as n_judgments_else,
        cast(sum(n_solutions) over (partition by stage) as bigint) - n_solutions as n_solutions_else
    from days
),

shares as (
    select
        *,
        cast(n_solutions as double) / n_judgments as share_2,
        case when n_judgments_else > 0 then cast(n_solutions_else as double) / n_judgments_else end as share_2_else
    from others
)

select
    shares.sent_on,
    shares.stage,
    shares.n_judgments,
    shares.n_solutions,
    shares.share_2,
    shares.share_2_else,
    coalesce(
        abs(shares.share_2 - shares.share_2_else) > rules.max_drift
        and shares.n_judgments >= rules.min_judgments
        and shares.n_judgments_else >= rules.min_judgments,
        false
    ) as is_alarm
from shares
cross join rules
