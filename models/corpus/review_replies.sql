-- One row per reply about a deletion under the wanted conditions: what would be lost, or why it cannot be used.
with

replies as (
    select
        requests.doc_id,
        requests.keeper_id,
        replies.request_key,
        replies.attempt,
        replies.status,
        replies.refusal,
        replies.finish_reason,
        replies.model,
        replies.model_reported,
        {{ repaired_json('replies.content') }} as content
    from {{ ref('review_requests') }} as requests
    inner join {{ ref('stg_duplicate_reviews') }} as replies
        on
            requests.deleted_sha256 = replies.query_sha256
            and requests.kept_sha256 = replies.doc_sha256
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
        case when failure is null then {{ json_raw('content', 'safe_to_delete') }} end
            as safe_to_delete,
        case when failure is null then {{ json_text('content', 'same_problem') }} end
            as same_problem,
        case when failure is null then {{ json_text('content', 'lost') }} end as lost,
        case when failure is null then {{ json_text('content', 'rationale') }} end as rationale
    from readable
)

select
    doc_id,
    keeper_id,
    request_key,
    attempt,
    same_problem,
    lost,
    rationale,
    safe_to_delete = 'true' and same_problem = 'yes' and lost = 'none' as is_safe,
    case
        when failure is not null then failure
        when safe_to_delete is null or safe_to_delete not in ('true', 'false')
            then 'schema_violation'
        when same_problem is null or same_problem not in ('yes', 'no', 'unclear')
            then 'schema_violation'
        when lost is null then 'schema_violation'
        else 'ok'
    end as outcome
from fields
