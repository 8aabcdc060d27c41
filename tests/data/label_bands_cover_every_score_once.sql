-- A label band that leaves a gap, overlaps the next, or is out of order: every score 0 .. 2 has one label.
with

ordered as (
    select
        policy,
        label,
        min_score,
        below_score,
        lag(below_score) over (partition by policy order by label) as below_score_before,
        row_number() over (partition by policy order by label) as place,
        count(*) over (partition by policy) as n_bands
    from {{ ref('label_bands') }}
)

select
    policy,
    label,
    min_score,
    below_score
from ordered
where
    min_score >= below_score
    or (place = 1 and coalesce(min_score, 0) > 0)
    or (place > 1 and min_score is distinct from below_score_before)
    or (place = n_bands and coalesce(below_score, 2 + 1) <= 2)
    or (place < n_bands and below_score is null)
