-- One row per (stage, label_round): usable replies of the judge, and those whose score contradicts their own facts.
select
    stage,
    label_round,
    count(*) as n_replies,
    cast(sum(case when is_consistent then 0 else 1 end) as bigint) as n_inconsistent
from {{ ref('replies') }}
where outcome = 'ok'
group by stage, label_round
