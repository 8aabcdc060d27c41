-- One row per page with a usable reply: the first one.
with

usable as (
    select
        *,
        row_number() over (partition by page_id order by attempt, request_key) as reply
    from {{ ref('extraction_replies') }}
    where outcome = 'ok'
)

select
    page_id,
    request_key,
    is_repaired,
    has_query,
    case when has_query then question_verbatim end as question_verbatim,
    case when has_query then query_text end as query_text,
    has_query and is_from_page_question as is_from_page_question,
    case when has_query then edit_ops end as edit_ops,
    decline_reason
from usable
where reply = 1
