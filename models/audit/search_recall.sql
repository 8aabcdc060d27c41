-- One row per route that is searched approximately: the recall of its searches at the route's depth, over a sample.
with

checked as (
    select
        checks.route,
        max(checks.engine) as engine,
        count(*) as n_queries,
        sum(checks.n_exact) as n_exact,
        sum(checks.n_found) as n_found,
        sum(checks.n_found_wider) as n_found_wider
    from {{ ref('stg_recall_checks') }} as checks
    inner join {{ ref('searches') }} as searches
        on
            checks.query_id = searches.query_id
            and checks.route = searches.route
            and checks.fingerprint = searches.fingerprint
    where searches.is_approximate
    group by checks.route
),

measured as (
    select
        *,
        cast(n_found as double) / cast(n_exact as double) as recall,
        cast(n_found_wider as double) / cast(n_exact as double) as wider_recall
    from checked
)

select
    measured.route,
    corpus_fingerprint.fingerprint as corpus_fingerprint,
    corpus_fingerprint.n_documents,
    measured.engine,
    routes.connectivity,
    routes.expansion_add,
    routes.expansion_search,
    routes.index_dtype,
    measured.n_queries,
    routes.depth,
    measured.recall,
    measured.wider_recall,
    routes.min_recall,
    case
        when measured.recall >= routes.min_recall then null
        when measured.wider_recall >= routes.min_recall then 'expansion_search'
        else 'connectivity and expansion_add'
    end as raise_parameter
from measured
cross join {{ ref('corpus_fingerprint') }} as corpus_fingerprint
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('routes') }} as routes
    on active_policy.policy = routes.policy and measured.route = routes.route
