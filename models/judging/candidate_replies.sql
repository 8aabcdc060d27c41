-- One row per reply about a candidate under the wanted conditions, whatever the ask beyond the source page's.
select
    requests.query_id,
    requests.doc_id,
    requests.ask as first_ask,
    replies.ask,
    replies.request_key,
    replies.attempt,
    replies.outcome,
    replies.label,
    replies.is_query_evaluable,
    replies.label_round
from {{ ref('candidate_requests') }} as requests
cross join {{ ref('judge_task') }} as judge_task
inner join {{ ref('replies') }} as replies
    on
        requests.ask <= replies.ask
        and requests.query_sha256 = replies.query_sha256
        and requests.doc_sha256 = replies.doc_sha256
        and judge_task.prompt_sha256 = replies.prompt_sha256
        and judge_task.model = replies.model
        and judge_task.parameters = replies.parameters
        and judge_task.layout = replies.layout
