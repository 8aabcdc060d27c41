-- One row per query whose page solves it: what its judges say of its self-containedness, and the reason to hold it back.
with

counted as (
    select
        query_id,
        cast(count(*) as bigint) as n_judges,
        cast(sum(case when is_self_contained then 1 else 0 end) as bigint) as n_passes,
        cast(sum(case when not is_self_contained then 1 else 0 end) as bigint) as n_flags,
        cast(sum(case when is_gap then 1 else 0 end) as bigint) as n_gaps
    from {{ ref('check_verdicts') }}
    group by query_id
)

-- One pass keeps the query, and so does one judge who gives no verdict: only all of them remove it.
select
    query_id,
    n_judges,
    n_passes,
    n_flags,
    n_gaps,
    case
        when n_passes + n_gaps > 0 then null
        when n_flags = n_judges then 'not_self_contained'
        else 'query_check_unpaid'
    end as reason
from counted
