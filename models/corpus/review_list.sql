-- One row per (doc_id, keeper_id): a near-duplicate kept because it holds what the keeper lacks.
select
    edges.doc_id,
    edges.keeper_id,
    edges.jaccard,
    edges.n_tokens_lacking
from {{ ref('duplicate_edges') }} as edges
left join {{ ref('survivors') }} as survivors
    on edges.doc_id = survivors.doc_id
where not edges.is_safe and survivors.doc_id is null
