-- One row per document without a signature of the wanted scheme: the work list of landed.signatures.
select
    documents.doc_id,
    documents.text as doc_text
from {{ ref('exact_documents') }} as documents
left join {{ ref('document_signatures') }} as signatures
    on documents.doc_id = signatures.doc_id
where signatures.doc_id is null
