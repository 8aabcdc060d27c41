-- One row per (query_id, doc_id) that the LLM alone should judge, without a label because every attempt of the first ask failed.
with

attempts as (
    select
        query_id,
        doc_id,
        max(attempt) as n_attempts,
        max(cast(outcome = 'ok' as integer)) as is_answered
    from {{ ref('candidate_replies') }}
    where ask = first_ask
    group by query_id, doc_id
),

modelled as (
    select
        query_id,
        doc_id
    from {{ ref('candidate_assignments') }}
    where judge <> 'llm'
    group by query_id, doc_id
)

select
    requests.query_id,
    requests.doc_id,
    requests.stage,
    requests.rule,
    requests.label_round,
    requests.max_chars,
    attempts.n_attempts
from {{ ref('candidate_requests') }} as requests
cross join {{ ref('judge_task') }} as judge_task
inner join attempts
    on requests.query_id = attempts.query_id and requests.doc_id = attempts.doc_id
left join modelled
    on requests.query_id = modelled.query_id and requests.doc_id = modelled.doc_id
-- A query's own page has the label of its source-page check.
left join {{ ref('source_labels') }} as source_labels
    on requests.query_id = source_labels.query_id and requests.doc_id = source_labels.doc_id
where
    attempts.is_answered = 0
    and attempts.n_attempts >= judge_task.max_attempts
    and modelled.query_id is null
    and source_labels.query_id is null
