-- One row per reply about a page under the wanted conditions: what it says, or why it cannot be used.
with

replies as (
    select
        requests.page_id,
        replies.request_key,
        replies.attempt,
        replies.status,
        replies.refusal,
        replies.finish_reason,
        replies.model,
        replies.model_reported,
        {{ repaired_json('replies.content') }} as content,
        {{ repaired_json('replies.content') }} <> replies.content as is_repaired
    from {{ ref('extraction_requests') }} as requests
    inner join {{ ref('stg_query_extractions') }} as replies
        on
            requests.doc_sha256 = replies.doc_sha256
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
        case when failure is null then {{ json_raw('content', 'has_query') }} end as has_query,
        case when failure is null then {{ json_text('content', 'question_verbatim') }} end
            as question_verbatim,
        case when failure is null then {{ json_text('content', 'query') }} end as query_text,
        case when failure is null then {{ json_raw('content', 'from_page_question') }} end
            as from_page_question,
        case when failure is null then {{ json_list('content', 'edit_ops') }} end as edit_ops,
        case when failure is null then {{ json_text('content', 'decline_reason') }} end
            as decline_reason
    from readable
)

select
    page_id,
    request_key,
    attempt,
    is_repaired,
    has_query = 'true' as has_query,
    question_verbatim,
    query_text,
    from_page_question = 'true' as is_from_page_question,
    {{ comma_list('edit_ops') }} as edit_ops,
    decline_reason,
    case
        when failure is not null then failure
        when has_query is null or has_query not in ('true', 'false') then 'schema_violation'
        when has_query = 'false' then 'ok'
        when from_page_question is null or from_page_question not in ('true', 'false')
            then 'schema_violation'
        when edit_ops is null then 'schema_violation'
        when coalesce(trim(query_text), '') = '' then 'schema_violation'
        when from_page_question = 'true' and coalesce(trim(question_verbatim), '') = ''
            then 'schema_violation'
        else 'ok'
    end as outcome
from fields
