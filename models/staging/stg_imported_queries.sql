-- One row per query of an imported release.
select
    release,
    query_id,
    text,
    source_doc_id,
    is_from_page_question,
    landed_at
from {{ source('landed', 'imported_queries') }}
