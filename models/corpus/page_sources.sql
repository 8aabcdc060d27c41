-- One row per page: the document that stands for it, its own or the survivor that it was merged into.
select
    page_documents.page_id,
    page_documents.doc_id as own_doc_id,
    coalesce(survivors.kept_doc_id, page_documents.doc_id) as source_doc_id,
    survivors.kept_doc_id is not null as is_merged_away
from {{ ref('page_documents') }} as page_documents
left join {{ ref('survivors') }} as survivors
    on page_documents.doc_id = survivors.doc_id
where not page_documents.is_without_solution
