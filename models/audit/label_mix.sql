-- One row per (stage, judge, label_round, label): how many judgments.
select
    stage,
    judge,
    label_round,
    label,
    count(*) as n_judgments
from {{ ref('judgments') }}
group by stage, judge, label_round, label
