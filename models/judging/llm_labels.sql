-- One row per candidate (query_id, doc_id) with a usable reply: the label of the first.
with

usable as (
    select
        replies.*,
        row_number() over (
            partition by replies.query_id, replies.doc_id
            order by replies.ask, replies.attempt, replies.request_key
        ) as reply
    from {{ ref('candidate_replies') }} as replies
    -- A reply to an ask that another policy makes is no label of this one.
    inner join {{ ref('asks') }} as asks
        on
            replies.query_id = asks.query_id
            and replies.doc_id = asks.doc_id
            and replies.ask = asks.ask
    where replies.outcome = 'ok'
)

select
    query_id,
    doc_id,
    request_key,
    ask,
    attempt,
    label,
    is_query_evaluable,
    label_round
from usable
where reply = 1
