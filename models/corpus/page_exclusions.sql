-- One row per page without a document of its own in the corpus: the reason.
with

unusable as (
    select
        page_id,
        case
            when outcome = 'failed' then 'extraction_failed'
            when outcome = 'empty' then 'extraction_empty'
            else 'degenerate'
        end as reason
    from {{ ref('texts') }}
    where outcome <> 'ok' or is_degenerate
),

unanswered as (
    select
        page_id,
        'extraction_gap' as reason
    from {{ ref('extraction_gaps') }}
),

without_solution as (
    select
        page_id,
        'no_solution' as reason
    from {{ ref('page_documents') }}
    where is_without_solution
),

merged as (
    select
        page_documents.page_id,
        case
            when survivors.doc_id is not null then 'near_duplicate'
            else 'exact_duplicate'
        end as reason
    from {{ ref('page_documents') }} as page_documents
    inner join {{ ref('exact_documents') }} as drawn
        on page_documents.doc_id = drawn.doc_id
    left join {{ ref('survivors') }} as survivors
        on page_documents.doc_id = survivors.doc_id
    where
        not page_documents.is_without_solution
        and (survivors.doc_id is not null or drawn.page_id <> page_documents.page_id)
)

select page_id, reason from unusable
union all
select page_id, reason from unanswered
union all
select page_id, reason from without_solution
union all
select page_id, reason from merged
