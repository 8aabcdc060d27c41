-- One row per (query_id, doc_id) that the LLM labelled as a candidate and is asked about once more: is it answered?
-- What comes of it is compared with the label and never is one.
with

rules as (
    select repeat_rules.*
    from {{ ref('repeat_rules') }} as repeat_rules
    inner join {{ ref('active_policy') }} as active_policy
        on repeat_rules.policy = active_policy.policy
),

drawn as (
    select
        labels.query_id,
        labels.doc_id,
        labels.label_round,
        rules.ask
    from {{ ref('llm_labels') }} as labels
    cross join rules
    where
        {{ hash_bucket("concat_ws('|', rules.seed, labels.query_id, labels.doc_id)", 'rules.n_buckets') }}
        < rules.repeat_share * rules.n_buckets
),

spent as (
    select
        query_id,
        doc_id,
        ask,
        max(attempt) as n_attempts,
        max(cast(outcome = 'ok' as integer)) as is_answered
    from {{ ref('candidate_replies') }}
    group by query_id, doc_id, ask
)

select
    drawn.query_id,
    drawn.doc_id,
    drawn.ask,
    requests.stage,
    drawn.label_round,
    requests.max_chars,
    coalesce(spent.is_answered, 0) = 1 as is_answered,
    cast(coalesce(spent.n_attempts, 0) as bigint) as n_attempts
from drawn
inner join {{ ref('candidate_requests') }} as requests
    on drawn.query_id = requests.query_id and drawn.doc_id = requests.doc_id
left join spent
    on
        drawn.query_id = spent.query_id
        and drawn.doc_id = spent.doc_id
        and drawn.ask = spent.ask
