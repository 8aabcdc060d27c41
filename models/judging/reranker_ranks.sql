-- One row per reranked (query_id, doc_id): its score and its rank within the query's pool.
select
    pool.query_id,
    pool.doc_id,
    scores.score as reranker_score,
    cast(row_number() over (
        partition by pool.query_id order by scores.score desc, pool.doc_id
    ) as bigint) as reranker_rank
from {{ ref('reranker_pool') }} as pool
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('stg_reranker_scores') }} as scores
    on
        pool.query_id = scores.query_id
        and pool.doc_id = scores.doc_id
        and active_policy.reranker = scores.model
