-- One row per (query_id, doc_id, ask) for the LLM: is it answered, and how many attempts were spent on it?
with

replied as (
    select query_id, doc_id, ask, attempt, outcome from {{ ref('candidate_replies') }}
    union all
    select
        requests.query_id,
        requests.doc_id,
        requests.ask,
        replies.attempt,
        replies.outcome
    from {{ ref('source_replies') }} as replies
    inner join {{ ref('source_requests') }} as requests
        on replies.query_id = requests.query_id and replies.doc_id = requests.doc_id
),

spent as (
    select
        query_id,
        doc_id,
        ask,
        max(attempt) as n_attempts,
        max(cast(outcome = 'ok' as integer)) as is_answered
    from replied
    group by query_id, doc_id, ask
)

select
    assignments.query_id,
    assignments.doc_id,
    assignments.ask,
    assignments.stage,
    assignments.rule,
    assignments.label_round,
    assignments.max_chars,
    coalesce(spent.is_answered, 0) = 1 as is_answered,
    cast(coalesce(spent.n_attempts, 0) as bigint) as n_attempts
from {{ ref('assignments') }} as assignments
left join spent
    on
        assignments.query_id = spent.query_id
        and assignments.doc_id = spent.doc_id
        and assignments.ask = spent.ask
where assignments.judge = 'llm'
