-- One row per canonical text: the document, in the text of a page drawn by a seeded hash.
with

rules as (
    select dedup_rules.*
    from {{ ref('dedup_rules') }} as dedup_rules
    inner join {{ ref('active_policy') }} as active_policy
        on dedup_rules.policy = active_policy.policy
),

drawn as (
    select
        page_documents.*,
        count(*) over (partition by page_documents.doc_id) as n_pages,
        max(cast(page_documents.is_multi_problem as integer))
            over (partition by page_documents.doc_id)
        = 1 as is_multi_problem_page,
        row_number() over (
            partition by page_documents.doc_id
            order by
                {{ seeded_order('rules.seed', ['page_documents.page_id']) }},
                page_documents.page_id
        ) as draw
    from {{ ref('page_documents') }} as page_documents
    cross join rules
    where not page_documents.is_without_solution
)

select
    doc_id,
    page_id,
    title,
    text,
    n_chars,
    n_formulas,
    is_math_lossy,
    is_multi_problem_page as is_multi_problem,
    question_verbatim,
    cast(n_pages as bigint) as n_pages
from drawn
where draw = 1
