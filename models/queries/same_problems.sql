-- One row per (query_id, item_sha256): the first usable verdict on whether they are the same problem, attempts counted.
with

usable as (
    select
        *,
        row_number() over (
            partition by query_id, item_sha256 order by attempt, request_key
        ) as reply
    from {{ ref('same_problem_answers') }}
    where outcome = 'ok'
),

attempts as (
    select
        query_id,
        item_sha256,
        max(attempt) as n_attempts
    from {{ ref('same_problem_answers') }}
    group by query_id, item_sha256
)

select
    requests.query_id,
    requests.item_sha256,
    usable.same_problem,
    usable.difference,
    cast(coalesce(attempts.n_attempts, 0) as bigint) as n_attempts,
    usable.query_id is null
    and coalesce(attempts.n_attempts, 0) >= requests.max_attempts as is_gap
from {{ ref('same_problem_requests') }} as requests
left join usable
    on
        requests.query_id = usable.query_id
        and requests.item_sha256 = usable.item_sha256
        and usable.reply = 1
left join attempts
    on
        requests.query_id = attempts.query_id
        and requests.item_sha256 = attempts.item_sha256
