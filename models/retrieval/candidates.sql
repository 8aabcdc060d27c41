-- One row per (query_id, doc_id) that a candidate rule admits, or a query's own page that a route returned.
-- New is what the base policy did not judge.
{{ config(materialized='bucketed', bucket_by='query_id', bucket_of='queries') }}
-- depends_on: {{ ref('queries') }}
with

-- One rule each for a route and what the base policy judged (a key of the seed).
rules as (
    select
        max(case when not is_new and route = 'dense' then max_rank end) as base_dense,
        max(case when not is_new and route = 'fused' then max_rank end) as base_fused,
        max(case when is_new and route = 'dense' then max_rank end) as new_dense,
        max(case when is_new and route = 'fused' then max_rank end) as new_fused,
        max(case when is_new and route = 'dense' then rule end) as dense_rule,
        max(case when is_new and route = 'fused' then rule end) as fused_rule,
        max(case when route = 'dense' then max_rank end) as dense_depth,
        max(case when route = 'fused' then max_rank end) as fused_depth
    from {{ ref('candidate_rules') }} as candidate_rules
    inner join {{ ref('active_policy') }} as active_policy
        on candidate_rules.policy = active_policy.policy
),

-- Cut before anything else is done for a pair.
cut as (
    select ranks.*
    from {{ ref('ranks') }} as ranks
    cross join rules
    where
        ranks.dense_rank <= rules.dense_depth
        or ranks.fused_rank <= rules.fused_depth
        or ranks.is_source_page
),

ruled as (
    select
        cut.*,
        case
            when cut.dense_rank <= rules.base_dense or cut.fused_rank <= rules.base_fused then 'base'
            when cut.fused_rank <= rules.new_fused then rules.fused_rule
            when cut.dense_rank <= rules.new_dense then rules.dense_rule
            else 'own_page'
        end as rule
    from cut
    cross join rules
)

select
    ruled.query_id,
    ruled.doc_id,
    ruled.dense_rank,
    ruled.bm25_rank,
    ruled.ngram5_rank,
    ruled.fused_rank,
    ruled.dense_score,
    ruled.rrf_score,
    lengths.n_tokens,
    lengths.is_long,
    ruled.rule,
    ruled.is_source_page,
    ruled.rule not in ('base', 'own_page') and not ruled.is_source_page as is_new
from ruled
inner join {{ ref('document_lengths') }} as lengths
    on ruled.doc_id = lengths.doc_id
