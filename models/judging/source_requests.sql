-- One row per screened query: the request that asks whether its own page solves it.
with

rules as (
    select judge_rules.*
    from {{ ref('judge_rules') }} as judge_rules
    inner join {{ ref('active_policy') }} as active_policy
        on judge_rules.policy = active_policy.policy
    where judge_rules.stage = 'source_page'
)

select
    screened.query_id,
    screened.source_doc_id as doc_id,
    rules.stage,
    rules.rule,
    rules.judge,
    rules.label_round,
    rules.ask,
    rules.max_chars,
    screened.query_text,
    screened.query_sha256,
    shown.doc_sha256
from {{ ref('screened') }} as screened
cross join rules
inner join {{ ref('shown_documents') }} as shown
    on screened.source_doc_id = shown.doc_id and rules.max_chars = shown.max_chars
where screened.reason is null
