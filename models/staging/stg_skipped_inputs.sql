-- One row per reason for which a file, record or row of an input was not taken as a page.
select
    source,
    reason,
    detail,
    landed_at
from {{ source('landed', 'skipped_inputs') }}
