-- One row per page without a text of the wanted extractor version: the work list of landed.page_texts.
select
    pages.page_id,
    pages.format,
    pages.charset,
    captures.raw
from {{ ref('pages') }} as pages
inner join {{ ref('stg_pages') }} as captures
    on pages.page_id = captures.page_id and pages.source = captures.source
left join {{ ref('texts') }} as texts
    on pages.page_id = texts.page_id
where texts.page_id is null
