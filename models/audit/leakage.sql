-- One row per (eval_set, method): how many queries leak by it, and how many of them by no other method.
with

found as (
    select query_id, eval_set, method
    from {{ ref('leaks') }}
    group by query_id, eval_set, method
),

counted as (
    select query_id, eval_set, count(*) as n_methods
    from found
    group by query_id, eval_set
)

select
    found.eval_set,
    found.method,
    count(*) as n_queries,
    cast(sum(case when counted.n_methods = 1 then 1 else 0 end) as bigint) as n_alone
from found
inner join counted
    on
        found.query_id = counted.query_id
        and found.eval_set = counted.eval_set
group by found.eval_set, found.method
