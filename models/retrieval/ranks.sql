-- One row per (query_id, doc_id) that any route returned: its rank in each, the fused score and the fused rank.
-- A view: all that the routes returned is too much to keep twice; what is judged is kept in `candidates`.
{{ config(materialized='view') }}
with

weights as (
    select
        max(case when routes.route = 'dense' then routes.weight end) as dense_weight,
        max(case when routes.route = 'bm25' then routes.weight end) as bm25_weight,
        max(case when routes.route = 'ngram5' then routes.weight end) as ngram5_weight,
        max(routes.rrf_k) as rrf_k
    from {{ ref('routes') }} as routes
    inner join {{ ref('active_policy') }} as active_policy
        on routes.policy = active_policy.policy
),

-- A query's own page counts as a list of its own without a rank: cheaper than to look each pair up afterwards.
listed as (
    select query_id, doc_id, route, rank, score
    from {{ ref('hits') }}
    union all
    select query_id, source_doc_id as doc_id, 'own' as route, null as rank, null as score
    from {{ ref('queries') }}
),

wide as (
    select
        query_id,
        doc_id,
        max(case when route = 'dense' then rank end) as dense_rank,
        max(case when route = 'bm25' then rank end) as bm25_rank,
        max(case when route = 'ngram5' then rank end) as ngram5_rank,
        max(case when route = 'dense' then score end) as dense_score,
        max(cast(route = 'own' as integer)) = 1 as is_source_page
    from listed
    group by query_id, doc_id
),

-- Added in a fixed order: a sum of doubles over a group depends on the order of its rows.
scored as (
    select
        wide.*,
        least(wide.dense_rank, wide.bm25_rank, wide.ngram5_rank) as best_rank,
        coalesce(
            cast(weights.dense_weight as double)
            / cast(weights.rrf_k + wide.dense_rank as double),
            cast(0 as double)
        )
        + coalesce(
            cast(weights.bm25_weight as double) / cast(weights.rrf_k + wide.bm25_rank as double),
            cast(0 as double)
        )
        + coalesce(
            cast(weights.ngram5_weight as double)
            / cast(weights.rrf_k + wide.ngram5_rank as double),
            cast(0 as double)
        ) as rrf_score
    from wide
    cross join weights
    where coalesce(wide.dense_rank, wide.bm25_rank, wide.ngram5_rank) is not null
)

select
    query_id,
    doc_id,
    dense_rank,
    bm25_rank,
    ngram5_rank,
    dense_score,
    rrf_score,
    is_source_page,
    cast(row_number() over (
        partition by query_id order by {{ tied('rrf_score') }} desc, best_rank, doc_id
    ) as bigint) as fused_rank
from scored
