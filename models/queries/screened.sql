-- One row per written query: the first reason, if any, to drop it or hold it back before its page is judged.
with

leaked as (
    select query_id
    from {{ ref('leaks') }}
    where method = 'semantic'
    group by query_id
),

-- The nearest item of a set is not known yet, or the judge has not answered about it; a gap holds nothing back.
unchecked as (
    select nearest.query_id
    from {{ ref('nearest_items') }} as nearest
    left join {{ ref('same_problems') }} as verdicts
        on
            nearest.query_id = verdicts.query_id
            and nearest.item_sha256 = verdicts.item_sha256
    where
        nearest.item_id is null
        or (nearest.is_near and verdicts.same_problem is null and not verdicts.is_gap)
    group by nearest.query_id
)

select
    screened.query_id,
    screened.query_text,
    screened.query_sha256,
    screened.own_doc_id,
    screened.source_doc_id,
    screened.is_merged_away,
    case
        when screened.reason is not null then screened.reason
        when leaked.query_id is not null then 'leaked'
        when unchecked.query_id is not null then 'leakage_unpaid'
    end as reason
from {{ ref('text_screened') }} as screened
left join leaked
    on screened.query_id = leaked.query_id
left join unchecked
    on screened.query_id = unchecked.query_id
