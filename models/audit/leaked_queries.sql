-- One row per query that leaks: how like the most alike evaluation item it is, by each method that found one.
select
    query_id,
    max(case when method = 'equality' then similarity end) as equality,
    max(case when method = 'canonical' then similarity end) as canonical,
    max(case when method = 'lcs' then similarity end) as lcs,
    max(case when method = 'jaccard5' then similarity end) as jaccard5,
    max(case when method = 'semantic' then similarity end) as semantic
from {{ ref('leaks') }}
group by query_id
