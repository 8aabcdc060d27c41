-- One row per deleted document: the document kept in its place, with their Jaccard and the rule.
with

choices as (
    select
        edges.doc_id,
        edges.keeper_id,
        edges.jaccard,
        edges.n_tokens_lacking,
        edges.rule,
        row_number() over (
            partition by edges.doc_id order by edges.keeper_place, edges.keeper_id
        ) as choice
    from {{ ref('safe_edges') }} as edges
    inner join {{ ref('keepers') }} as deleted
        on edges.doc_id = deleted.node and not deleted.is_kept
    inner join {{ ref('keepers') }} as kept
        on edges.keeper_id = kept.node and kept.is_kept
)

select
    doc_id,
    keeper_id as kept_doc_id,
    jaccard,
    n_tokens_lacking,
    rule
from choices
where choice = 1
