-- One row per (route, depth): pairs that the route returned down to this depth, and how many of them are judged.
with

depths as (
    select coverage_depths.depth
    from {{ ref('coverage_depths') }} as coverage_depths
    inner join {{ ref('active_policy') }} as active_policy
        on coverage_depths.policy = active_policy.policy
),

deepest as (
    select max(depth) as depth from depths
),

-- Cut before anything is joined.
cut as (
    select
        ranks.query_id,
        ranks.doc_id,
        ranks.dense_rank,
        ranks.bm25_rank,
        ranks.ngram5_rank,
        ranks.fused_rank
    from {{ ref('ranks') }} as ranks
    cross join deepest
    where
        ranks.dense_rank <= deepest.depth
        or ranks.bm25_rank <= deepest.depth
        or ranks.ngram5_rank <= deepest.depth
        or ranks.fused_rank <= deepest.depth
),

marked as (
    select
        cut.*,
        judgments.query_id is not null as is_judged,
        judgments.label
    from cut
    left join {{ ref('judgments') }} as judgments
        on cut.query_id = judgments.query_id and cut.doc_id = judgments.doc_id
),

ranked as (
    select 'dense' as route, dense_rank as rank, is_judged, label from marked where dense_rank is not null
    union all
    select 'bm25' as route, bm25_rank as rank, is_judged, label from marked where bm25_rank is not null
    union all
    select 'ngram5' as route, ngram5_rank as rank, is_judged, label from marked where ngram5_rank is not null
    union all
    select 'fused' as route, fused_rank as rank, is_judged, label from marked
)

select
    ranked.route,
    depths.depth,
    count(*) as n_pairs,
    count(case when ranked.is_judged then 1 end) as n_judged,
    count(ranked.label) as n_labelled,
    avg(case when ranked.is_judged then cast(1 as double) else cast(0 as double) end) as share_judged
from ranked
inner join depths
    on ranked.rank <= depths.depth
group by ranked.route, depths.depth
