-- One row per document of an imported release.
select
    release,
    doc_id,
    text,
    n_chars,
    is_multi_problem,
    landed_at
from {{ source('landed', 'imported_documents') }}
