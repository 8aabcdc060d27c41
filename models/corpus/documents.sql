-- One row per document of this warehouse's pages that is searched, judged and released.
select
    documents.doc_id,
    documents.page_id,
    documents.title,
    documents.text,
    documents.n_chars,
    documents.is_multi_problem,
    documents.n_pages
from {{ ref('exact_documents') }} as documents
left join {{ ref('survivors') }} as survivors
    on documents.doc_id = survivors.doc_id
where survivors.doc_id is null
