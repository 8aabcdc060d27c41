-- One row per reply about a query's self-containedness under the wanted conditions, or why it cannot be used.
with

replies as (
    select
        requests.query_id,
        requests.stage,
        replies.request_key,
        replies.attempt,
        replies.status,
        replies.refusal,
        replies.finish_reason,
        replies.model,
        replies.model_reported,
        {{ repaired_json('replies.content') }} as content
    from {{ ref('check_requests') }} as requests
    inner join {{ ref('stg_query_checks') }} as replies
        on
            requests.query_sha256 = replies.query_sha256
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
        case when failure is null then {{ json_raw('content', 'self_contained') }} end
            as self_contained,
        case when failure is null then {{ json_text('content', 'missing') }} end as missing
    from readable
)

select
    query_id,
    stage,
    request_key,
    attempt,
    missing,
    self_contained = 'true' as is_self_contained,
    case
        when failure is not null then failure
        when self_contained is null or self_contained not in ('true', 'false')
            then 'schema_violation'
        else 'ok'
    end as outcome
from fields
