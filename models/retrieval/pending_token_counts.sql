-- One row per document not yet counted by the reranker's tokenizer: the work list of landed.token_counts.
select
    documents.doc_id,
    documents.text as doc_text
from {{ ref('documents') }} as documents
left join {{ ref('document_lengths') }} as lengths
    on documents.doc_id = lengths.doc_id
where lengths.doc_id is null
