-- A list whose ranks do not run 1, 2, 3 …, or that is longer than the route's depth.
with

lists as (
    select
        query_id,
        route,
        min(rank) as first_rank,
        max(rank) as last_rank,
        count(*) as n_hits
    from {{ ref('hits') }}
    group by query_id, route
)

select
    lists.query_id,
    lists.route,
    lists.first_rank,
    lists.last_rank,
    lists.n_hits
from lists
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('routes') }} as routes
    on active_policy.policy = routes.policy and lists.route = routes.route
where
    lists.first_rank <> 1
    or lists.last_rank <> lists.n_hits
    or lists.n_hits > routes.depth
