-- One row per (unit, reason): what the funnel says, counted again from the tables that hold what was kept and dropped.
with

dropped as (
    select 'input' as unit, reason, count(*) as n from {{ ref('skipped_inputs') }} group by reason
    union all
    select 'page' as unit, reason, count(*) as n from {{ ref('page_exclusions') }} group by reason
    union all
    select 'query' as unit, reason, count(*) as n from {{ ref('query_exclusions') }} group by reason
    union all
    select 'pair' as unit, reason, count(*) as n from {{ ref('pair_exclusions') }} group by reason
    union all
    select 'training' as unit, reason, count(*) as n
    from {{ ref('outcomes') }} where reason is not null group by reason
    union all
    select 'input' as unit, 'same_bytes' as reason, captures.n - distinct_pages.n as n
    from (select count(*) as n from {{ ref('stg_pages') }}) as captures
    cross join (select count(*) as n from {{ ref('pages') }}) as distinct_pages
    union all
    select 'document' as unit, 'near_duplicate' as reason, texts.n - documents.n as n
    from (select count(*) as n from {{ ref('exact_documents') }}) as texts
    cross join (select count(*) as n from {{ ref('documents') }}) as documents
),

kept as (
    select 'input' as unit, count(*) as n from {{ ref('pages') }}
    union all
    select 'page' as unit, count(*) as n from {{ ref('documents') }}
    union all
    select 'document' as unit, count(*) as n from {{ ref('documents') }}
    union all
    select 'query' as unit, count(*) as n from {{ ref('queries') }}
    union all
    select 'pair' as unit, count(*) as n
    from {{ ref('judgments') }} as judgments
    inner join (
        select query_id, doc_id from {{ ref('candidate_assignments') }} group by query_id, doc_id
    ) as assignments
        on judgments.query_id = assignments.query_id and judgments.doc_id = assignments.doc_id
    union all
    select 'training' as unit, count(*) as n from {{ ref('training_rows') }}
),

-- Of the units of which some may wait for a loader.
came_in as (
    select 'page' as unit, count(*) as n from {{ ref('pages') }}
    union all
    select 'query' as unit, count(*) as n from {{ ref('extractions') }}
),

known as (
    select unit, reason, n from dropped
    union all
    select unit, 'kept' as reason, n from kept
),

waiting as (
    select
        came_in.unit,
        'waiting' as reason,
        cast(max(came_in.n) - sum(known.n) as bigint) as n
    from came_in
    inner join known
        on came_in.unit = known.unit
    group by came_in.unit
)

select unit, reason, n from known where n <> 0
union all
select unit, reason, n from waiting where n <> 0
