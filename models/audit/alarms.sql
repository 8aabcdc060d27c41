-- One row per (alarm, subject): what should be looked at before a release is used.
select
    'share of solutions rises' as alarm,
    'dense ranks ' || cast(first_rank as string) || ' to ' || cast(last_rank as string) as subject,
    share_2_before as expected,
    share_2 as found
from {{ ref('solution_rates') }}
where is_alarm
union all
select
    'count of the card differs' as alarm,
    section || ' ' || name as subject,
    cast(n_recounted as double) as expected,
    cast(n_card as double) as found
from {{ ref('card_counts') }}
where is_alarm
union all
select
    'share of solutions drifts' as alarm,
    stage || ' on ' || cast(sent_on as string) as subject,
    share_2_else as expected,
    share_2 as found
from {{ ref('day_rates') }}
where is_alarm
