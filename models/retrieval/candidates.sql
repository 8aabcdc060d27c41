-- One row per (query_id, doc_id) that a candidate rule of the policy admits; new is what the base policy did not judge.
with

rules as (
    select candidate_rules.*
    from {{ ref('candidate_rules') }} as candidate_rules
    inner join {{ ref('active_policy') }} as active_policy
        on candidate_rules.policy = active_policy.policy
),

admitted as (
    select
        ranks.query_id,
        ranks.doc_id,
        max(cast(not rules.is_new as integer)) = 1 as is_base_candidate,
        max(rules.rule) as rule
    from {{ ref('ranks') }} as ranks
    inner join rules
        on
            (rules.route = 'dense' and ranks.dense_rank <= rules.max_rank)
            or (rules.route = 'fused' and ranks.fused_rank <= rules.max_rank)
    group by ranks.query_id, ranks.doc_id
)

select
    ranks.query_id,
    ranks.doc_id,
    ranks.dense_rank,
    ranks.bm25_rank,
    ranks.ngram5_rank,
    ranks.fused_rank,
    ranks.dense_score,
    ranks.rrf_score,
    lengths.n_tokens,
    lengths.is_long,
    case when admitted.is_base_candidate then 'base' else admitted.rule end as rule,
    ranks.doc_id = queries.source_doc_id as is_source_page,
    not admitted.is_base_candidate and ranks.doc_id <> queries.source_doc_id as is_new
from admitted
inner join {{ ref('ranks') }} as ranks
    on admitted.query_id = ranks.query_id and admitted.doc_id = ranks.doc_id
inner join {{ ref('queries') }} as queries
    on admitted.query_id = queries.query_id
inner join {{ ref('document_lengths') }} as lengths
    on admitted.doc_id = lengths.doc_id
