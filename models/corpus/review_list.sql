-- One row per (doc_id, keeper_id): a near-duplicate kept because it may hold what the keeper lacks, and who says so.
select
    edges.doc_id,
    edges.keeper_id,
    edges.jaccard,
    edges.n_tokens_lacking,
    reviews.same_problem,
    reviews.lost,
    reviews.rationale,
    case
        when reviews.doc_id is null then 'not_asked'
        when reviews.is_safe is not null then 'reviewed'
        when reviews.is_gap then 'gap'
        else 'waiting'
    end as outcome
from {{ ref('duplicate_edges') }} as edges
left join {{ ref('safe_edges') }} as safe_edges
    on edges.doc_id = safe_edges.doc_id and edges.keeper_id = safe_edges.keeper_id
left join {{ ref('survivors') }} as survivors
    on edges.doc_id = survivors.doc_id
left join {{ ref('reviews') }} as reviews
    on edges.doc_id = reviews.doc_id and edges.keeper_id = reviews.keeper_id
where safe_edges.doc_id is null and survivors.doc_id is null
