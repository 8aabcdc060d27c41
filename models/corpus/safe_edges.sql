-- One row per (doc_id, keeper_id): a pair whose later document is lost without a loss, with the rule that says so.
with

ruled as (
    select
        edges.*,
        case
            when edges.is_contained then 'contained'
            when reviews.is_safe then 'reviewed'
        end as rule
    from {{ ref('duplicate_edges') }} as edges
    left join {{ ref('reviews') }} as reviews
        on edges.doc_id = reviews.doc_id and edges.keeper_id = reviews.keeper_id
)

select
    doc_id,
    keeper_id,
    keeper_place,
    jaccard,
    n_tokens_lacking,
    rule
from ruled
where rule is not null
