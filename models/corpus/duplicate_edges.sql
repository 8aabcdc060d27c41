-- One row per (doc_id, keeper_id): a pair whose later document could be deleted in favour of the earlier one.
with

rules as (
    select dedup_rules.*
    from {{ ref('dedup_rules') }} as dedup_rules
    inner join {{ ref('active_policy') }} as active_policy
        on dedup_rules.policy = active_policy.policy
),

ordered_pairs as (
    select
        verdicts.jaccard,
        case when a.place < b.place then a.doc_id else b.doc_id end as keeper_id,
        case when a.place < b.place then b.doc_id else a.doc_id end as doc_id,
        least(a.place, b.place) as keeper_place,
        case
            when a.place < b.place then verdicts.n_tokens_only_b
            else verdicts.n_tokens_only_a
        end as n_tokens_lacking
    from {{ ref('duplicate_verdicts') }} as verdicts
    inner join {{ ref('keeper_order') }} as a
        on verdicts.doc_a = a.doc_id
    inner join {{ ref('keeper_order') }} as b
        on verdicts.doc_b = b.doc_id
    where not verdicts.is_conflict
)

select
    ordered_pairs.doc_id,
    ordered_pairs.keeper_id,
    ordered_pairs.keeper_place,
    ordered_pairs.jaccard,
    ordered_pairs.n_tokens_lacking,
    ordered_pairs.n_tokens_lacking <= rules.max_tokens_lacking as is_contained
from ordered_pairs
cross join rules
