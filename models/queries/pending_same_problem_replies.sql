-- One row per request that is still to be made: the work list of landed.same_problem_replies.
select
    requests.query_id,
    cast(null as string) as doc_id,
    requests.query_sha256,
    requests.item_sha256 as doc_sha256,
    requests.prompt,
    requests.prompt_sha256,
    requests.model,
    requests.parameters,
    requests.truncation_chars,
    requests.layout,
    cast(1 as bigint) as position,
    cast(1 as bigint) as ask,
    verdicts.n_attempts + 1 as attempt,
    cast(null as string) as label_round,
    'same_problem' as stage,
    requests.policy,
    requests.query_text,
    requests.doc_text
from {{ ref('same_problem_requests') }} as requests
inner join {{ ref('same_problems') }} as verdicts
    on
        requests.query_id = verdicts.query_id
        and requests.item_sha256 = verdicts.item_sha256
where verdicts.same_problem is null and not verdicts.is_gap
