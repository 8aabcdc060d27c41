-- One row per query that a judge found not evaluable on at least one candidate.
select query_id
from {{ ref('judgments') }}
where not is_query_evaluable
group by query_id
