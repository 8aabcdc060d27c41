-- One row per route: what it returned, which solutions it alone returned, and what the fusion loses without it.
with

parameters as (
    select
        routes.route,
        routes.rrf_k,
        max(case when others.route = 'dense' and routes.route <> 'dense' then others.weight else 0 end) as dense_weight,
        max(case when others.route = 'bm25' and routes.route <> 'bm25' then others.weight else 0 end) as bm25_weight,
        max(case when others.route = 'ngram5' and routes.route <> 'ngram5' then others.weight else 0 end) as ngram5_weight
    from {{ ref('routes') }} as routes
    inner join {{ ref('active_policy') }} as active_policy
        on routes.policy = active_policy.policy
    inner join {{ ref('routes') }} as others
        on routes.policy = others.policy
    group by routes.route, routes.rrf_k
),

depth as (
    select max(candidate_rules.max_rank) as max_rank
    from {{ ref('candidate_rules') }} as candidate_rules
    inner join {{ ref('active_policy') }} as active_policy
        on candidate_rules.policy = active_policy.policy
),

-- Added in the order in which the fused score is.
scored as (
    select
        parameters.route,
        ranks.query_id,
        ranks.doc_id,
        ranks.fused_rank,
        case parameters.route
            when 'dense' then ranks.dense_rank
            when 'bm25' then ranks.bm25_rank
            else ranks.ngram5_rank
        end as route_rank,
        least(
            case when parameters.route <> 'dense' then ranks.dense_rank end,
            case when parameters.route <> 'bm25' then ranks.bm25_rank end,
            case when parameters.route <> 'ngram5' then ranks.ngram5_rank end
        ) as best_other_rank,
        coalesce(cast(parameters.dense_weight as double) / (parameters.rrf_k + ranks.dense_rank), 0)
        + coalesce(cast(parameters.bm25_weight as double) / (parameters.rrf_k + ranks.bm25_rank), 0)
        + coalesce(cast(parameters.ngram5_weight as double) / (parameters.rrf_k + ranks.ngram5_rank), 0) as other_score
    from {{ ref('ranks') }} as ranks
    cross join parameters
),

ranked as (
    select
        *,
        case
            when best_other_rank is not null then row_number() over (
                partition by route, query_id
                order by (best_other_rank is null), other_score desc, best_other_rank, doc_id
            )
        end as rank_without
    from scored
)

select
    ranked.route,
    count(ranked.route_rank) as n_hits,
    count(case when ranked.route_rank is not null and judgments.label = 2 then 1 end) as n_solutions,
    count(
        case when ranked.route_rank is not null and ranked.best_other_rank is null and judgments.label = 2 then 1 end
    ) as n_solutions_alone,
    count(case when ranked.fused_rank <= depth.max_rank and judgments.label = 2 then 1 end) as n_fused_solutions,
    count(
        case
            when
                ranked.fused_rank <= depth.max_rank
                and coalesce(ranked.rank_without > depth.max_rank, true)
                and judgments.label = 2
                then 1
        end
    ) as n_fused_solutions_lost
from ranked
cross join depth
left join {{ ref('judgments') }} as judgments
    on ranked.query_id = judgments.query_id and ranked.doc_id = judgments.doc_id
group by ranked.route
