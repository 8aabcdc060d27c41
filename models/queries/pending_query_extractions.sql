-- One row per request that is still to be made: the work list of landed.query_extractions.
select
    requests.page_id as query_id,
    cast(null as string) as doc_id,
    cast(null as string) as query_sha256,
    requests.doc_sha256,
    requests.prompt,
    requests.prompt_sha256,
    requests.model,
    requests.parameters,
    requests.truncation_chars,
    requests.layout,
    cast(1 as bigint) as position,
    cast(1 as bigint) as ask,
    attempts.n_attempts + 1 as attempt,
    cast(null as string) as label_round,
    'query_extraction' as stage,
    requests.policy,
    cast(null as string) as query_text,
    requests.doc_text
from {{ ref('extraction_requests') }} as requests
inner join {{ ref('extraction_attempts') }} as attempts
    on requests.page_id = attempts.page_id
where attempts.n_attempts < requests.max_attempts
