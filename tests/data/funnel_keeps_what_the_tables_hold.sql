-- A unit of the funnel whose kept differ from the rows of the table that they went to.
with

candidate_pairs as (
    select query_id, doc_id from {{ ref('candidate_assignments') }} group by query_id, doc_id
),

tables as (
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
    inner join candidate_pairs
        on judgments.query_id = candidate_pairs.query_id and judgments.doc_id = candidate_pairs.doc_id
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
