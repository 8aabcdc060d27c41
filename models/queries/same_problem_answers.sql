-- One row per reply about a query and an item near to it under the wanted conditions, or why it cannot be used.
with

replies as (
    select
        requests.query_id,
        requests.item_sha256,
        replies.request_key,
        replies.attempt,
        replies.status,
        replies.refusal,
        replies.finish_reason,
        replies.model,
        replies.model_reported,
        {{ repaired_json('replies.content') }} as content
    from {{ ref('same_problem_requests') }} as requests
    inner join {{ ref('stg_same_problem_replies') }} as replies
        on
            requests.query_sha256 = replies.query_sha256
            and requests.item_sha256 = replies.doc_sha256
            and requests.prompt_sha256 = replies.prompt_sha256
            and requests.model = replies.model
            and requests.parameters = replies.parameters
            and requests.layout = replies.layout
),

readable as (
    select
        *,
        {{ reply_failure('content') }} as failure
    from replies
),

fields as (
    select
        *,
        case when failure is null then {{ json_text('content', 'same_problem') }} end
            as same_problem,
        case when failure is null then {{ json_text('content', 'difference') }} end
            as difference
    from readable
)

select
    query_id,
    item_sha256,
    request_key,
    attempt,
    same_problem,
    difference,
    case
        when failure is not null then failure
        when same_problem is null or same_problem not in ('yes', 'no', 'unclear')
            then 'schema_violation'
        else 'ok'
    end as outcome
from fields
