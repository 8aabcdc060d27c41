-- One row per document counted by the reranker's tokenizer: is it long?
select
    documents.doc_id,
    token_counts.n_tokens,
    token_counts.n_tokens > active_policy.long_tokens as is_long
from {{ ref('documents') }} as documents
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('stg_token_counts') }} as token_counts
    on
        documents.doc_id = token_counts.doc_id
        and active_policy.tokenizer = token_counts.tokenizer
