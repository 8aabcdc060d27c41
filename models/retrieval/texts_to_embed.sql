-- One row per (kind, id): every text that the encoder must embed.
select
    'document' as kind,
    doc_id as id,
    {{ sha256_hex('text') }} as text_sha256,
    text
from {{ ref('documents') }}
union all
select
    'query' as kind,
    query_id as id,
    query_sha256 as text_sha256,
    query_text as text
from {{ ref('queries') }}
