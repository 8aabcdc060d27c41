-- One row per text and encoder: its L2-normalized vector.
select
    kind,
    id,
    text_sha256,
    model,
    vector,
    landed_at
from {{ source('landed', 'embeddings') }}
