-- One row per (query_id, stage): a judge's first usable verdict on the query's self-containedness, attempts counted.
with

usable as (
    select
        *,
        row_number() over (partition by query_id, stage order by attempt, request_key) as reply
    from {{ ref('check_replies') }}
    where outcome = 'ok'
),

attempts as (
    select
        query_id,
        stage,
        max(attempt) as n_attempts
    from {{ ref('check_replies') }}
    group by query_id, stage
)

select
    requests.query_id,
    requests.stage,
    usable.is_self_contained,
    usable.missing,
    cast(coalesce(attempts.n_attempts, 0) as bigint) as n_attempts,
    usable.query_id is null
    and coalesce(attempts.n_attempts, 0) >= requests.max_attempts as is_gap
from {{ ref('check_requests') }} as requests
left join usable
    on
        requests.query_id = usable.query_id
        and requests.stage = usable.stage
        and usable.reply = 1
left join attempts
    on
        requests.query_id = attempts.query_id
        and requests.stage = attempts.stage
