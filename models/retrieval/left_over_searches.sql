-- One row per landed search (query_id, route, fingerprint) that the policy no longer wants.
-- A table of its own, mostly empty: so the engine sees how small it is, and builds no join on all hits instead.
select
    query_id,
    route,
    fingerprint
from {{ ref('landed_searches') }}
where not is_current
