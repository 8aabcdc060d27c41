-- One row per (unit, reason): inputs, pages, queries, pairs and queries for training, those kept and those dropped, each why.
select
    unit,
    reason,
    step,
    count(*) as n,
    min(id) as example_id
from {{ ref('funnel_items') }}
group by unit, reason, step
