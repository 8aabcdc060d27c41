-- One row per (query_id, doc_id) of a query and its own page without a label yet: the attempts spent.
select
    requests.query_id,
    requests.doc_id,
    judge_task.max_attempts,
    cast(coalesce(max(replies.attempt), 0) as bigint) as n_attempts
from {{ ref('source_requests') }} as requests
cross join {{ ref('judge_task') }} as judge_task
left join {{ ref('source_labels') }} as labels
    on requests.query_id = labels.query_id and requests.doc_id = labels.doc_id
left join {{ ref('source_replies') }} as replies
    on requests.query_id = replies.query_id and requests.doc_id = replies.doc_id
where labels.query_id is null
group by requests.query_id, requests.doc_id, judge_task.max_attempts
