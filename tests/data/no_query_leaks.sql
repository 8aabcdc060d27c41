-- A query that enters retrieval though some method finds it in an evaluation set.
select
    queries.query_id,
    leaks.eval_set,
    leaks.item_id,
    leaks.method
from {{ ref('queries') }} as queries
inner join {{ ref('leaks') }} as leaks
    on queries.query_id = leaks.query_id
