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
inner join {{ ref('searches') }} as searches
    on
        runs.query_id = searches.query_id
        -- The route is part of the fingerprint.
        and runs.fingerprint = searches.fingerprint
where runs.rank is not null
