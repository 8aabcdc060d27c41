-- One row per (query_id, route, rank): the hits of the current searches.
{{ config(materialized='view') }}
select
    runs.query_id,
    runs.route,
    runs.rank,
    runs.doc_id,
    runs.score,
    runs.n_match
from {{ ref('stg_runs') }} as runs
-- Few or none are left over from another corpus: looking those up is cheaper than each hit's own search.
left join {{ ref('left_over_searches') }} as left_over
    on
        runs.query_id = left_over.query_id
        and runs.route = left_over.route
        and runs.fingerprint = left_over.fingerprint
where runs.rank is not null and left_over.query_id is null
