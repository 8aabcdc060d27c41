-- One row per judge request that is still to be made: the work list of landed.llm_replies.
{{ config(materialized='view') }}
with

requests as (
    select query_id, doc_id, ask, query_text, query_sha256, doc_sha256
    from {{ ref('source_requests') }}
    union all
    select
        candidate_requests.query_id,
        candidate_requests.doc_id,
        candidate_requests.ask,
        queries.query_text,
        candidate_requests.query_sha256,
        candidate_requests.doc_sha256
    from {{ ref('candidate_requests') }} as candidate_requests
    inner join {{ ref('queries') }} as queries
        on candidate_requests.query_id = queries.query_id
),

-- What the policy asks, and what it asks once more.
asked as (
    select query_id, doc_id, ask, stage, label_round, max_chars, is_answered, n_attempts, false as is_repeat
    from {{ ref('asks') }}
    union all
    select query_id, doc_id, ask, stage, label_round, max_chars, is_answered, n_attempts, true as is_repeat
    from {{ ref('repeats') }}
)

select
    asked.query_id,
    asked.doc_id,
    requests.query_sha256,
    requests.doc_sha256,
    judge_task.prompt,
    judge_task.prompt_sha256,
    judge_task.model,
    judge_task.parameters,
    asked.max_chars as truncation_chars,
    judge_task.layout,
    cast(1 as bigint) as position,
    asked.ask,
    asked.n_attempts + 1 as attempt,
    asked.label_round,
    asked.stage,
    judge_task.policy,
    requests.query_text,
    substr(documents.text, 1, asked.max_chars) as doc_text
from asked
cross join {{ ref('judge_task') }} as judge_task
inner join requests
    on
        asked.query_id = requests.query_id
        and asked.doc_id = requests.doc_id
        and (
            asked.ask = requests.ask
            or ((asked.is_repeat or asked.label_round = 'v2_gap') and requests.ask > 1)
        )
inner join {{ ref('documents') }} as documents
    on asked.doc_id = documents.doc_id
where not asked.is_answered and asked.n_attempts < judge_task.max_attempts
