-- One row per candidate (query_id, doc_id) with a usable reply: the label of the first, with its conditions.
with

usable as (
    select
        *,
        row_number() over (
            partition by query_id, doc_id order by ask, attempt, request_key
        ) as reply
    from {{ ref('candidate_replies') }}
    where outcome = 'ok'
)

select
    query_id,
    doc_id,
    request_key,
    ask,
    attempt,
    label,
    is_query_evaluable,
    answer_validity,
    reason_codes,
    confidence,
    rationale,
    prompt_sha256,
    model,
    parameters,
    truncation_chars,
    layout,
    position,
    label_round,
    is_repaired,
    is_consistent
from usable
where reply = 1
