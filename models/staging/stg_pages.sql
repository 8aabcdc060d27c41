-- One row per capture: a page's raw bytes as found at one place of one input.
select
    page_id,
    source,
    url,
    format,
    charset,
    raw,
    n_bytes,
    landed_at
from {{ source('landed', 'pages') }}
