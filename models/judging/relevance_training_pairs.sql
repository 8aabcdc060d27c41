-- One row per (query_id, doc_id) with an LLM label to learn from: its split, drawn by query.
select
    labels.query_id,
    labels.doc_id,
    labels.label,
    queries.query_text,
    documents.text as doc_text,
    case
        when {{ hash_bucket("concat_ws('|', rules.seed, labels.query_id)", 'rules.n_buckets') }}
            < rules.held_out_share * rules.n_buckets then 'held_out'
        else 'train'
    end as split
from {{ ref('llm_labels') }} as labels
inner join {{ ref('queries') }} as queries
    on labels.query_id = queries.query_id
inner join {{ ref('documents') }} as documents
    on labels.doc_id = documents.doc_id
inner join {{ ref('active_policy') }} as active_policy
    on true
inner join {{ ref('relevance_rules') }} as rules
    on active_policy.policy = rules.policy
where labels.is_query_evaluable
