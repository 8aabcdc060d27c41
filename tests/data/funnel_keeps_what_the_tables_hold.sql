-- A unit of the funnel whose kept differ from the rows of the table that they went to.
with

tables as (
    select unit, n from {{ ref('funnel_recounts') }} where reason = 'kept'
),

kept as (
    select unit, n from {{ ref('funnel') }} where reason = 'kept'
)

select
    coalesce(tables.unit, kept.unit) as unit,
    coalesce(tables.n, 0) as n_rows,
    coalesce(kept.n, 0) as n_kept
from tables
full outer join kept
    on tables.unit = kept.unit
where coalesce(tables.n, 0) <> coalesce(kept.n, 0)
