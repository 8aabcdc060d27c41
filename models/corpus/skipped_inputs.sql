-- One row per file, record or row of an input that is no page: why, as it was found last.
with

last_captures as (
    select
        source,
        max(landed_at) as landed_at
    from {{ ref('stg_pages') }}
    group by source
),

skips as (
    select
        *,
        row_number() over (partition by source order by landed_at desc, reason, source) as recency
    from {{ ref('stg_skipped_inputs') }}
)

select
    skips.source,
    skips.reason,
    skips.detail
from skips
left join last_captures
    on skips.source = last_captures.source and skips.landed_at <= last_captures.landed_at
where skips.recency = 1 and last_captures.source is null
