-- One row per (query_id, doc_id) of a query and its own page about which every allowed attempt failed.
select
    query_id,
    doc_id,
    n_attempts
from {{ ref('source_attempts') }}
where n_attempts >= max_attempts
