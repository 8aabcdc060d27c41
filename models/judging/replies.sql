-- One row per landed reply of the judge: the label it gives, or why it gives none (never a 0).
with

codes as (
    select
        request_key,
        attempt,
        {{ explode('reason_codes') }} as reason_code
    from {{ ref('reply_fields') }}
),

-- How many of a reply's codes the policy allows for each label.
allowed as (
    select
        codes.request_key,
        codes.attempt,
        count(*) as n_codes,
        sum(cast(coalesce(reason_codes.for_score_2, false) as integer)) as n_for_2,
        sum(cast(coalesce(reason_codes.for_score_1, false) as integer)) as n_for_1,
        sum(cast(coalesce(reason_codes.for_score_0, false) as integer)) as n_for_0,
        sum(cast(coalesce(reason_codes.for_unevaluable, false) as integer)) as n_for_unevaluable
    from codes
    left join {{ ref('reason_codes') }} as reason_codes
        on codes.reason_code = reason_codes.reason_code
    group by codes.request_key, codes.attempt
),

judged as (
    select
        fields.*,
        case
            when fields.failure is not null then fields.failure
            when fields.query_evaluable is null
                or fields.query_evaluable not in ('true', 'false') then 'schema_violation'
            when coalesce(allowed.n_codes, 0) = 0 then 'schema_violation'
            when validity.answer_validity is null then 'schema_violation'
            when fields.confidence is null
                or fields.confidence not between 0 and 1 then 'schema_violation'
            when coalesce(fields.score, 'null') not in ('0', '1', '2', 'null')
                then 'schema_violation'
            when fields.query_evaluable = 'false' and coalesce(fields.score, 'null') = 'null'
                and allowed.n_for_unevaluable = allowed.n_codes then 'ok'
            when fields.query_evaluable = 'true' and fields.score = '2'
                and validity.for_score_2 and allowed.n_for_2 = allowed.n_codes then 'ok'
            when fields.query_evaluable = 'true' and fields.score = '1'
                and validity.for_score_1 and allowed.n_for_1 = allowed.n_codes then 'ok'
            when fields.query_evaluable = 'true' and fields.score = '0'
                and validity.for_score_0 and allowed.n_for_0 = allowed.n_codes then 'ok'
            else 'rule_violation'
        end as outcome
    from {{ ref('reply_fields') }} as fields
    left join allowed
        on fields.request_key = allowed.request_key and fields.attempt = allowed.attempt
    left join {{ ref('validity_rules') }} as validity
        on fields.answer_validity = validity.answer_validity
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
    prompt_tokens,
    completion_tokens,
    outcome,
    is_repaired,
    case when outcome = 'ok' then query_evaluable = 'true' end as is_query_evaluable,
    case when outcome = 'ok' then try_cast(score as integer) end as label,
    case when outcome = 'ok' then answer_validity end as answer_validity,
    case when outcome = 'ok' then {{ comma_list('reason_codes') }} end as reason_codes,
    case when outcome = 'ok' then confidence end as confidence,
    case when outcome = 'ok' then rationale end as rationale,
    case
        when outcome <> 'ok' then null
        when query_evaluable = 'false' then true
        when same_problem = 'no' or conditions_match = 'no' or target_match = 'no'
            or central_math_correct = 'no' then score = '0'
        else true
    end as is_consistent
from judged
