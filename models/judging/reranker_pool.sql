-- One row per (query_id, doc_id) that a rule sends through the zero-shot reranker.
select
    query_id,
    doc_id
from {{ ref('rule_matches') }}
where max_reranker_rank is not null
group by query_id, doc_id
