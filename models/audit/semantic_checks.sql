-- One row per eval_set: queries compared with it by meaning, those near an item, and what the judge says of these.
select
    nearest.eval_set,
    count(nearest.item_id) as n_compared,
    cast(sum(case when nearest.is_near then 1 else 0 end) as bigint) as n_near,
    cast(sum(case when nearest.is_near and verdicts.same_problem = 'yes' then 1 else 0 end) as bigint) as n_same,
    cast(sum(case when nearest.is_near and verdicts.is_gap then 1 else 0 end) as bigint) as n_gaps
from {{ ref('nearest_items') }} as nearest
left join {{ ref('same_problems') }} as verdicts
    on
        nearest.query_id = verdicts.query_id
        and nearest.item_sha256 = verdicts.item_sha256
group by nearest.eval_set
