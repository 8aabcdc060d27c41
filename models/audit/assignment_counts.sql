-- One row per (rule, stage, judge): how many pairs the policy sends there.
select
    rule,
    stage,
    judge,
    count(*) as n_pairs
from {{ ref('assignments') }}
group by rule, stage, judge
