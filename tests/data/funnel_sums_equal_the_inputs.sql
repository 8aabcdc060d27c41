-- A unit of the funnel whose kept, dropped and waiting do not add up to what came in: something was dropped
-- silently, or counted twice.
with

inputs as (
    select 'input' as unit, captures.n + skips.n as n
    from (select count(*) as n from {{ ref('stg_pages') }}) as captures
    cross join (select count(*) as n from {{ ref('skipped_inputs') }}) as skips
    union all
    select 'page' as unit, count(*) as n from {{ ref('pages') }}
    union all
    select 'document' as unit, count(distinct doc_id) as n
    from {{ ref('page_documents') }} where not is_without_solution
    union all
    select 'query' as unit, count(*) as n from {{ ref('extractions') }}
    union all
    select 'pair' as unit, count(*) as n from {{ ref('candidates') }} where is_new or rule = 'base'
    union all
    select 'training' as unit, count(*) as n from {{ ref('queries') }}
),

counted as (
    select
        unit,
        sum(n) as n
    from {{ ref('funnel') }}
    group by unit
)

select
    inputs.unit,
    inputs.n as n_inputs,
    counted.n as n_counted
from inputs
left join counted
    on inputs.unit = counted.unit
where inputs.n <> coalesce(counted.n, 0)
