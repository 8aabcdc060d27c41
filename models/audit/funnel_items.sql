-- One row per (unit, id): an input, page, document, query, pair or query for training, kept, waiting or dropped, why.
with

page_outcomes as (
    select
        pages.page_id as id,
        case
            when documents.page_id is not null then 'kept'
            else coalesce(exclusions.reason, 'waiting')
        end as reason
    from {{ ref('pages') }} as pages
    left join {{ ref('documents') }} as documents
        on pages.page_id = documents.page_id
    left join {{ ref('page_exclusions') }} as exclusions
        on pages.page_id = exclusions.page_id
),

document_outcomes as (
    select
        distinct_texts.doc_id as id,
        case when survivors.doc_id is null then 'kept' else 'near_duplicate' end as reason
    from {{ ref('exact_documents') }} as distinct_texts
    left join {{ ref('survivors') }} as survivors
        on distinct_texts.doc_id = survivors.doc_id
),

query_outcomes as (
    select
        extractions.page_id as id,
        case
            when queries.query_id is not null then 'kept'
            else coalesce(exclusions.reason, 'waiting')
        end as reason
    from {{ ref('extractions') }} as extractions
    left join {{ ref('queries') }} as queries
        on extractions.page_id = queries.query_id
    left join {{ ref('query_exclusions') }} as exclusions
        on extractions.page_id = exclusions.query_id
),

pair_outcomes as (
    select
        assignments.query_id || ' ' || assignments.doc_id as id,
        coalesce(exclusions.reason, 'kept') as reason
    from (
        select query_id, doc_id from {{ ref('candidate_assignments') }} group by query_id, doc_id
    ) as assignments
    left join {{ ref('pair_exclusions') }} as exclusions
        on
            assignments.query_id = exclusions.query_id
            and assignments.doc_id = exclusions.doc_id
),

training_outcomes as (
    select
        query_id as id,
        coalesce(reason, 'kept') as reason
    from {{ ref('outcomes') }}
),

outcomes as (
    select 'input' as unit, id, reason from {{ ref('inputs') }}
    union all
    select 'page' as unit, id, reason from page_outcomes
    union all
    select 'document' as unit, id, reason from document_outcomes
    union all
    select 'query' as unit, id, reason from query_outcomes
    union all
    select 'pair' as unit, id, reason from pair_outcomes
    union all
    select 'training' as unit, id, reason from training_outcomes
)

select
    outcomes.unit,
    outcomes.id,
    outcomes.reason,
    coalesce(reasons.step, 0) as step
from outcomes
left join {{ ref('exclusion_reasons') }} as reasons
    on outcomes.reason = reasons.reason
