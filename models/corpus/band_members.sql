-- One row per (band_hash, doc_id): the documents of each MinHash bucket, the best text first.
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
),

numbered as (
    select
        members.band_hash,
        members.doc_id,
        cast(row_number() over (
            partition by members.band_hash order by keeper_order.place, members.doc_id
        ) as bigint) as member,
        count(*) over (partition by members.band_hash) as bucket_size
    from members
    inner join {{ ref('keeper_order') }} as keeper_order
        on members.doc_id = keeper_order.doc_id
)

-- In a giant bucket, pairs are made with its best texts only.
select
    numbered.band_hash,
    numbered.doc_id,
    numbered.member,
    numbered.bucket_size,
    numbered.bucket_size <= rules.max_bucket or numbered.member <= rules.n_anchors as is_paired
from numbered
cross join rules
