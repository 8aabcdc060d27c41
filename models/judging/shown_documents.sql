-- One row per (doc_id, max_chars): the sha256 of a document's text as a rule of the policy shows it to the LLM.
with

limits as (
    select judge_rules.max_chars
    from {{ ref('judge_rules') }} as judge_rules
    inner join {{ ref('active_policy') }} as active_policy
        on judge_rules.policy = active_policy.policy
    where judge_rules.max_chars is not null
    group by judge_rules.max_chars
)

select
    documents.doc_id,
    limits.max_chars,
    {{ sha256_hex('substr(documents.text, 1, limits.max_chars)') }} as doc_sha256
from {{ ref('documents') }} as documents
cross join limits
