-- One row per band of dense ranks: its share of solutions, and an alarm where it is above that of the band before.
with

rules as (
    select audit_rules.*
    from {{ ref('audit_rules') }} as audit_rules
    inner join {{ ref('active_policy') }} as active_policy
        on audit_rules.policy = active_policy.policy
),

banded as (
    select
        cast(floor(cast(mix.dense_rank - 1 as double) / rules.ranks_per_band) as bigint) as band,
        mix.dense_rank,
        mix.n_judgments,
        mix.n_solutions
    from {{ ref('label_mix_by_rank') }} as mix
    cross join rules
),

summed as (
    select
        band,
        min(dense_rank) as first_rank,
        max(dense_rank) as last_rank,
        cast(sum(n_judgments) as bigint) as n_judgments,
        cast(sum(n_solutions) as bigint) as n_solutions,
        cast(sum(n_solutions) as double) / sum(n_judgments) as share_2
    from banded
    group by band
),

compared as (
    select
        *,
        lag(share_2) over (order by band) as share_2_before,
        lag(n_judgments) over (order by band) as n_judgments_before
    from summed
)

select
    compared.first_rank,
    compared.last_rank,
    compared.n_judgments,
    compared.n_solutions,
    compared.share_2,
    compared.share_2_before,
    coalesce(
        compared.share_2 - compared.share_2_before > rules.max_rise
        and compared.n_judgments >= rules.min_judgments
        and compared.n_judgments_before >= rules.min_judgments,
        false
    ) as is_alarm
from compared
cross join rules
