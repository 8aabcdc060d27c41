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
)

select
    asks.query_id,
    asks.doc_id,
    requests.query_sha256,
    requests.doc_sha256,
    judge_task.prompt,
    judge_task.prompt_sha256,
    judge_task.model,
    judge_task.parameters,
    asks.max_chars as truncation_chars,
    judge_task.layout,
    cast(1 as bigint) as position,
    asks.ask,
    asks.n_attempts + 1 as attempt,
    asks.label_round,
    asks.stage,
    judge_task.policy,
    requests.query_text,
    substr(documents.text, 1, asks.max_chars) as doc_text
from {{ ref('asks') }} as asks
cross join {{ ref('judge_task') }} as judge_task
inner join requests
    on
        asks.query_id = requests.query_id
        and asks.doc_id = requests.doc_id
        and (
            asks.ask = requests.ask
            or (asks.label_round = 'v2_gap' and requests.ask > 1)
        )
inner join {{ ref('documents') }} as documents
    on asks.doc_id = documents.doc_id
where not asks.is_answered and asks.n_attempts < judge_task.max_attempts
