-- One row per page about which every allowed attempt failed.
select
    page_id,
    n_attempts
from {{ ref('extraction_attempts') }}
where n_attempts >= max_attempts
