-- One row per pair of documents (doc_a < doc_b) that share a bucket and enough shingles, with their exact Jaccard.
with

rules as (
    select dedup_rules.*
    from {{ ref('dedup_rules') }} as dedup_rules
    inner join {{ ref('active_policy') }} as active_policy
        on dedup_rules.policy = active_policy.policy
),

bucket_pairs as (
    select
        least(earlier.doc_id, later.doc_id) as doc_a,
        greatest(earlier.doc_id, later.doc_id) as doc_b
    from {{ ref('band_members') }} as earlier
    inner join {{ ref('band_members') }} as later
        on earlier.band_hash = later.band_hash and earlier.member < later.member
    where earlier.is_paired
    group by least(earlier.doc_id, later.doc_id), greatest(earlier.doc_id, later.doc_id)
),

overlapping as (
    select
        bucket_pairs.doc_a,
        bucket_pairs.doc_b,
        {{ n_shared('a.shingles', 'b.shingles') }} as n_shared,
        {{ n_elements('a.shingles') }} + {{ n_elements('b.shingles') }} as n_both
    from bucket_pairs
    inner join {{ ref('document_signatures') }} as a
        on bucket_pairs.doc_a = a.doc_id
    inner join {{ ref('document_signatures') }} as b
        on bucket_pairs.doc_b = b.doc_id
),

similarities as (
    select
        doc_a,
        doc_b,
        cast(n_shared as double) / cast(n_both - n_shared as double) as jaccard
    from overlapping
)

select
    similarities.doc_a,
    similarities.doc_b,
    similarities.jaccard
from similarities
cross join rules
where similarities.jaccard >= rules.min_jaccard
