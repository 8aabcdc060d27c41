-- One row per (band_hash, doc_id): the documents of each MinHash bucket, numbered by id within it.
with

rules as (
    select dedup_rules.*
    from {{ ref('dedup_rules') }} as dedup_rules
    inner join {{ ref('active_policy') }} as active_policy
        on dedup_rules.policy = active_policy.policy
),

long_enough as (
    select signatures.*
    from {{ ref('document_signatures') }} as signatures
    cross join rules
    where signatures.n_tokens >= rules.min_tokens
),

members as (
    select
        doc_id,
        {{ explode('bands') }} as band_hash
    from long_enough
)

select
    band_hash,
    doc_id,
    row_number() over (partition by band_hash order by doc_id) as member,
    count(*) over (partition by band_hash) as bucket_size
from members
