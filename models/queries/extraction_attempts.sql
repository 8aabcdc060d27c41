-- One row per usable page without a usable reply yet: how many attempts were spent on it.
select
    requests.page_id,
    requests.max_attempts,
    cast(coalesce(max(replies.attempt), 0) as bigint) as n_attempts
from {{ ref('extraction_requests') }} as requests
left join {{ ref('extractions') }} as extractions
    on requests.page_id = extractions.page_id
left join {{ ref('extraction_replies') }} as replies
    on requests.page_id = replies.page_id
where extractions.page_id is null
group by requests.page_id, requests.max_attempts
