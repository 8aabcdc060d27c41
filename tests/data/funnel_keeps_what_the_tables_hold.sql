-- A unit of the funnel whose kept differ from the rows of the table that they went to.
with

tables as (
    select 'page' as unit, count(*) as n from {{ ref('documents') }}
    union all
    select 'query' as unit, count(*) as n from {{ ref('queries') }}
    union all
    select 'pair' as unit, count(*) as n from {{ ref('judgments') }} where stage <> 'source_page'
    union all
    select 'training' as unit, count(*) as n from {{ ref('training_rows') }}
),

kept as (
    select unit, n from {{ ref('funnel') }} where reason = 'kept'
)

select
    tables.unit,
    tables.n as n_rows,
    kept.n as n_kept
from tables
left join kept
    on tables.unit = kept.unit
where tables.n <> coalesce(kept.n, 0)
