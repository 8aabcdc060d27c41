-- One row per review that is still to be asked: the work list of landed.duplicate_reviews.
-- query_id and query_text are the document to be deleted, doc_id and doc_text the one to be kept.
select
    requests.doc_id as query_id,
    requests.keeper_id as doc_id,
    requests.deleted_sha256 as query_sha256,
    requests.kept_sha256 as doc_sha256,
    requests.prompt,
    requests.prompt_sha256,
    requests.model,
    requests.parameters,
    requests.truncation_chars,
    requests.layout,
    cast(1 as bigint) as position,
    cast(1 as bigint) as ask,
    reviews.n_attempts + 1 as attempt,
    cast(null as string) as label_round,
    'duplicate_review' as stage,
    requests.policy,
    requests.deleted_text as query_text,
    requests.kept_text as doc_text
from {{ ref('review_requests') }} as requests
inner join {{ ref('reviews') }} as reviews
    on requests.doc_id = reviews.doc_id and requests.keeper_id = reviews.keeper_id
where reviews.is_safe is null and not reviews.is_gap
