-- One row per (unit, reason): what was kept of each unit, and what was dropped, with an example.
select
    unit,
    reason,
    step,
    count(*) as n,
    min(id) as example_id
from {{ ref('funnel_items') }}
group by unit, reason, step
