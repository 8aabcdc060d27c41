-- One row per MinHash bucket above the policy's size, whose pairs were bounded.
select
    members.band_hash,
    min(members.doc_id) as first_doc_id,
    max(members.bucket_size) as bucket_size
from {{ ref('band_members') }} as members
inner join {{ ref('active_policy') }} as active_policy
    on true
inner join {{ ref('dedup_rules') }} as rules
    on active_policy.policy = rules.policy
where members.bucket_size > rules.max_bucket
group by members.band_hash
