-- One row per method: its precision and recall on the labelled pairs; twins (other numbers) are counted apart.
with

summed as (
    select
        method,
        sum(case when label = 'copy' then n_pairs else 0 end) as n_copies,
        sum(case when label = 'copy' then n_found else 0 end) as n_copies_found,
        sum(case when label = 'twin' then n_pairs else 0 end) as n_twins,
        sum(case when label = 'twin' then n_found else 0 end) as n_twins_found,
        sum(case when label = 'other' then n_pairs else 0 end) as n_others,
        sum(case when label = 'other' then n_found else 0 end) as n_others_found
    from {{ ref('leakage_changes') }}
    group by method
)

select
    method,
    cast(n_copies as bigint) as n_copies,
    cast(n_copies_found as bigint) as n_copies_found,
    cast(n_twins as bigint) as n_twins,
    cast(n_twins_found as bigint) as n_twins_found,
    cast(n_others as bigint) as n_others,
    cast(n_others_found as bigint) as n_others_found,
    cast(n_copies_found as double) / nullif(n_copies, 0) as recall,
    cast(n_copies_found as double) / nullif(n_copies_found + n_others_found, 0) as precision_share
from summed
