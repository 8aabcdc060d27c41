-- One row per request that is still to be made: the work list of landed.query_checks.
select
    requests.query_id,
    cast(null as string) as doc_id,
    requests.query_sha256,
    cast(null as string) as doc_sha256,
    requests.prompt,
    requests.prompt_sha256,
    requests.model,
    requests.parameters,
    requests.truncation_chars,
    requests.layout,
    cast(1 as bigint) as position,
    cast(1 as bigint) as ask,
    checks.n_attempts + 1 as attempt,
    cast(null as string) as label_round,
    requests.stage,
    requests.policy,
    requests.query_text,
    cast(null as string) as doc_text
from {{ ref('check_requests') }} as requests
inner join {{ ref('check_verdicts') }} as checks
    on
        requests.query_id = checks.query_id
        and requests.stage = checks.stage
where checks.is_self_contained is null and not checks.is_gap
