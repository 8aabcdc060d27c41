-- One row per candidate (query_id, doc_id) that a judge was asked about and that has no judgment: the reason.
with

wanted as (
    select
        query_id,
        doc_id
    from {{ ref('candidate_assignments') }}
    group by query_id, doc_id
),

waiting as (
    select
        query_id,
        doc_id
    from {{ ref('pending_llm_replies') }}
    group by query_id, doc_id
    union
    select
        query_id,
        doc_id
    from {{ ref('pending_relevance_scores') }}
)

select
    wanted.query_id,
    wanted.doc_id,
    case when waiting.query_id is null then 'llm_gap' else 'unpaid' end as reason
from wanted
left join {{ ref('judgments') }} as judgments
    on wanted.query_id = judgments.query_id and wanted.doc_id = judgments.doc_id
left join waiting
    on wanted.query_id = waiting.query_id and wanted.doc_id = waiting.doc_id
where judgments.query_id is null
