-- A page or query that waits though no work list holds anything: it was dropped without a reason.
with

pending as (
    select count(*) as n from {{ ref('pending_page_texts') }}
    union all
    select count(*) as n from {{ ref('pending_query_extractions') }}
    union all
    select count(*) as n from {{ ref('pending_question_removals') }}
    union all
    select count(*) as n from {{ ref('pending_query_forms') }}
    union all
    select count(*) as n from {{ ref('pending_leak_overlaps') }}
    union all
    select count(*) as n from {{ ref('pending_nearest_items') }}
    union all
    select count(*) as n from {{ ref('pending_same_problem_replies') }}
    union all
    select count(*) as n from {{ ref('pending_llm_replies') }}
    union all
    select count(*) as n from {{ ref('pending_query_checks') }}
),

summed as (
    select sum(n) as n_pending from pending
)

select
    funnel.unit,
    funnel.n,
    funnel.example_id
from {{ ref('funnel') }} as funnel
cross join summed
where funnel.reason = 'waiting' and summed.n_pending = 0
