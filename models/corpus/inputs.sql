-- One row per capture of a page, or file, record or row that is none: a page of its own, or why not.
select
    captures.page_id || ' ' || captures.source as id,
    captures.source,
    case when pages.source = captures.source then 'kept' else 'same_bytes' end as reason
from {{ ref('stg_pages') }} as captures
inner join {{ ref('pages') }} as pages
    on captures.page_id = pages.page_id
union all
select
    source as id,
    source,
    reason
from {{ ref('skipped_inputs') }}
