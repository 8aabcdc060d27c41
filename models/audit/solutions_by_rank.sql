-- One row per band of dense ranks: the share of label 2, and an alarm where it does not fall from the band before.
with

bands as (
    select
        rank_bands.first_rank,
        rank_bands.last_rank,
        rank_bands.min_judgments
    from {{ ref('rank_bands') }} as rank_bands
    inner join {{ ref('active_policy') }} as active_policy
        on rank_bands.policy = active_policy.policy
),

counted as (
    select
        bands.first_rank,
        bands.last_rank,
        bands.min_judgments,
        count(judgments.label) as n_judgments,
        avg(cast(judgments.label = 2 as integer)) as share_2
    from bands
    left join {{ ref('candidates') }} as candidates
        on candidates.dense_rank between bands.first_rank and bands.last_rank
    left join {{ ref('judgments') }} as judgments
        on candidates.query_id = judgments.query_id and candidates.doc_id = judgments.doc_id
    group by bands.first_rank, bands.last_rank, bands.min_judgments
),

compared as (
    select
        first_rank,
        last_rank,
        n_judgments,
        share_2,
        min_judgments,
        lag(share_2) over (order by first_rank) as share_2_before,
        lag(n_judgments) over (order by first_rank) as n_judgments_before
    from counted
)

select
    first_rank,
    last_rank,
    n_judgments,
    share_2,
    share_2_before,
    coalesce(
        share_2 >= share_2_before and n_judgments >= min_judgments and n_judgments_before >= min_judgments,
        false
    ) as is_alarm
from compared
