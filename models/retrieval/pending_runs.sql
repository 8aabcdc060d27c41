-- One row per search that is still to be made: the work list of landed.runs.
select
    searches.route,
    searches.query_id,
    searches.fingerprint,
    searches.query_text,
    searches.query_sha256
from {{ ref('searches') }} as searches
left join {{ ref('landed_searches') }} as landed
    on
        searches.query_id = landed.query_id
        and searches.route = landed.route
        and searches.fingerprint = landed.fingerprint
where landed.query_id is null
