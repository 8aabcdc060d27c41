-- One row per page that asked for a query and gave none to retrieval: the first reason.
with

unwritten as (
    select
        page_id as query_id,
        'no_question' as reason
    from {{ ref('extractions') }}
    where not has_query
),

unscreened as (
    select
        query_id,
        reason
    from {{ ref('screened') }}
    where reason is not null
),

unsourced as (
    select
        query_id,
        reason
    from {{ ref('sourced') }}
    where reason is not null
),

unchecked as (
    select
        query_id,
        reason
    from {{ ref('checks') }}
    where reason is not null
)

select query_id, reason from unwritten
union all
select query_id, reason from unscreened
union all
select query_id, reason from unsourced
union all
select query_id, reason from unchecked
