-- One row per sampled query of an approximate search that is not checked yet: the work list of landed.recall_checks.
with

drawn as (
    select
        searches.route,
        searches.query_id,
        searches.fingerprint,
        row_number() over (
            partition by searches.route
            order by {{ seeded_order('searches.route', ['searches.query_id']) }}, searches.query_id
        ) as place
    from {{ ref('searches') }} as searches
    where searches.is_approximate
)

select
    drawn.route,
    drawn.query_id,
    drawn.fingerprint
from drawn
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('routes') }} as routes
    on
        active_policy.policy = routes.policy
        and drawn.route = routes.route
        and drawn.place <= routes.recall_sample_queries
left join {{ ref('stg_recall_checks') }} as landed
    on
        drawn.query_id = landed.query_id
        and drawn.route = landed.route
        and drawn.fingerprint = landed.fingerprint
where landed.query_id is null
