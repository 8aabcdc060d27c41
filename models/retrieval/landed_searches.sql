-- One row per landed search (query_id, route, fingerprint): is it one that the policy wants now?
select
    runs.query_id,
    runs.route,
    runs.fingerprint,
    searches.query_id is not null as is_current
from {{ ref('stg_runs') }} as runs
left join {{ ref('searches') }} as searches
    on
        runs.query_id = searches.query_id
        and runs.route = searches.route
        and runs.fingerprint = searches.fingerprint
-- A search landed its first hit, or a row without a rank.
where coalesce(runs.rank, 1) = 1
