-- A document of one lexical route only among the fused candidates of a query for which dense returned as many:
-- by the weights, it cannot be there.
with

limits as (
    select candidate_rules.max_rank
    from {{ ref('candidate_rules') }} as candidate_rules
    inner join {{ ref('active_policy') }} as active_policy
        on candidate_rules.policy = active_policy.policy
    where candidate_rules.route = 'fused'
),

dense_lists as (
    select
        query_id,
        count(dense_rank) as n_dense
    from {{ ref('ranks') }}
    group by query_id
)

select
    ranks.query_id,
    ranks.doc_id,
    ranks.bm25_rank,
    ranks.ngram5_rank,
    ranks.fused_rank
from {{ ref('ranks') }} as ranks
cross join limits
inner join dense_lists
    on ranks.query_id = dense_lists.query_id
where
    ranks.dense_rank is null
    and (ranks.bm25_rank is null or ranks.ngram5_rank is null)
    and ranks.fused_rank <= limits.max_rank
    and dense_lists.n_dense >= limits.max_rank
