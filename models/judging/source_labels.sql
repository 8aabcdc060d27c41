-- One row per (query_id, doc_id) of a query and its own page with a usable reply: the first one's label.
with

usable as (
    select
        *,
        row_number() over (
            partition by query_id, doc_id order by attempt, request_key
        ) as reply
    from {{ ref('source_replies') }}
    where outcome = 'ok'
)

select
    query_id,
    doc_id,
    request_key,
    attempt,
    label,
    is_query_evaluable
from usable
where reply = 1
