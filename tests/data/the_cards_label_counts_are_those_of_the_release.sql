-- The label counts that the card shows are those of the released rows, and so is the number of released judgments.
with

released as (
    select
        stage,
        judge,
        label_round,
        label,
        count(*) as n_judgments
    from {{ ref('release_judgments') }}
    group by stage, judge, label_round, label
),

both_ways as (
    select stage, judge, label_round, label, n_judgments, 1 as n_card, 0 as n_release
    from {{ ref('label_mix') }}
    union all
    select stage, judge, label_round, label, n_judgments, 0 as n_card, 1 as n_release
    from released
)

select
    stage,
    judge,
    label_round,
    label,
    n_judgments
from both_ways
group by stage, judge, label_round, label, n_judgments
having sum(n_card) <> sum(n_release)
