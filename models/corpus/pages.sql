-- One row per page: its raw bytes once, however often it was captured.
with

captures as (
    select
        page_id,
        source,
        url,
        format,
        charset,
        count(*) over (partition by page_id) as n_captures,
        row_number() over (partition by page_id order by source) as capture
    from {{ ref('stg_pages') }}
)

select
    page_id,
    source,
    url,
    format,
    charset,
    cast(n_captures as bigint) as n_captures
from captures
where capture = 1
