-- One row per judge request that is still to be made: the work list of landed.llm_replies.
with

texts as (
    select query_id, doc_id, ask, query_text, query_sha256, doc_text, doc_sha256
    from {{ ref('source_requests') }}
    union all
    select query_id, doc_id, ask, query_text, query_sha256, doc_text, doc_sha256
    from {{ ref('candidate_requests') }}
)

select
    asks.query_id,
    asks.doc_id,
    texts.query_sha256,
    texts.doc_sha256,
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
    texts.query_text,
    texts.doc_text
from {{ ref('asks') }} as asks
cross join {{ ref('judge_task') }} as judge_task
inner join texts
    on
        asks.query_id = texts.query_id
        and asks.doc_id = texts.doc_id
        and (
            asks.ask = texts.ask
            or (asks.label_round = 'v2_gap' and texts.ask > 1)
        )
where not asks.is_answered and asks.n_attempts < judge_task.max_attempts
