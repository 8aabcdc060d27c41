-- One row per document, scheme and norm version: its shingles and MinHash band hashes.
select
    doc_id,
    scheme,
    norm_version,
    n_tokens,
    shingles,
    bands,
    landed_at
from {{ source('landed', 'signatures') }}
