-- One row per (query_id, doc_id, stage, judge, rule): every pair that a judge is asked about, and by which rule.
{{ config(materialized='view') }}
with

gap_rules as (
    select judge_rules.*
    from {{ ref('judge_rules') }} as judge_rules
    inner join {{ ref('active_policy') }} as active_policy
        on judge_rules.policy = active_policy.policy
    where judge_rules.label_round = 'v2_gap'
),

-- What the base policy wanted from the LLM and never got is asked again.
gap_assignments as (
    select
        gaps.query_id,
        gaps.doc_id,
        gap_rules.judge,
        gap_rules.rule,
        gaps.stage,
        gap_rules.label_round,
        gap_rules.ask,
        gaps.max_chars
    from {{ ref('gaps') }} as gaps
    cross join gap_rules
    where gaps.label_round = 'v1'
)

select
    query_id,
    doc_id,
    judge,
    rule,
    stage,
    label_round,
    ask,
    max_chars
from {{ ref('source_requests') }}
union all
select
    query_id,
    doc_id,
    judge,
    rule,
    stage,
    label_round,
    ask,
    max_chars
from {{ ref('candidate_assignments') }}
union all
select
    query_id,
    doc_id,
    judge,
    rule,
    stage,
    label_round,
    ask,
    max_chars
from gap_assignments
