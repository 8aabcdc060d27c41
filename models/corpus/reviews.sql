-- One row per (doc_id, keeper_id) under review: the first usable verdict on its deletion, attempts counted.
with

usable as (
    select
        *,
        row_number() over (
            partition by doc_id, keeper_id order by attempt, request_key
        ) as reply
    from {{ ref('review_replies') }}
    where outcome = 'ok'
),

attempts as (
    select
        doc_id,
        keeper_id,
        max(attempt) as n_attempts
    from {{ ref('review_replies') }}
    group by doc_id, keeper_id
)

select
    requests.doc_id,
    requests.keeper_id,
    usable.is_safe,
    usable.same_problem,
    usable.lost,
    usable.rationale,
    cast(coalesce(attempts.n_attempts, 0) as bigint) as n_attempts,
    usable.doc_id is null
    and coalesce(attempts.n_attempts, 0) >= requests.max_attempts as is_gap
from {{ ref('review_requests') }} as requests
left join usable
    on
        requests.doc_id = usable.doc_id
        and requests.keeper_id = usable.keeper_id
        and usable.reply = 1
left join attempts
    on requests.doc_id = attempts.doc_id and requests.keeper_id = attempts.keeper_id
