-- One row per landed reply of the judge: its fields as they were written, or why it cannot be read.
with

repaired as (
    select
        *,
        {{ repaired_json('content') }} as json_content
    from {{ ref('stg_llm_replies') }}
),

readable as (
    select
        *,
        {{ reply_failure('json_content') }} as failure
    from repaired
)

select
    request_key,
    attempt,
    query_id,
    doc_id,
    query_sha256,
    doc_sha256,
    prompt_sha256,
    model,
    model_reported,
    parameters,
    truncation_chars,
    layout,
    position,
    ask,
    label_round,
    stage,
    policy,
    prompt_tokens,
    completion_tokens,
    failure,
    coalesce(json_content <> content, false) as is_repaired,
    case when failure is null then {{ json_raw('json_content', 'score') }} end as score,
    case when failure is null then {{ json_raw('json_content', 'query_evaluable') }} end
        as query_evaluable,
    case when failure is null then {{ json_text('json_content', 'answer_validity') }} end
        as answer_validity,
    case when failure is null then {{ json_list('json_content', 'reason_codes') }} end
        as reason_codes,
    case
        when failure is null
            then try_cast({{ json_raw('json_content', 'confidence') }} as double)
    end as confidence,
    case when failure is null then {{ json_text('json_content', 'rationale') }} end as rationale,
    case when failure is null then {{ json_text('json_content', 'same_problem') }} end
        as same_problem,
    case when failure is null then {{ json_text('json_content', 'conditions_match') }} end
        as conditions_match,
    case when failure is null then {{ json_text('json_content', 'target_match') }} end
        as target_match,
    case when failure is null then {{ json_text('json_content', 'central_math_correct') }} end
        as central_math_correct
from readable
