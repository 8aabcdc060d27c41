-- One row per document with a signature of the wanted scheme.
select
    signatures.doc_id,
    signatures.n_tokens,
    signatures.shingles,
    signatures.bands
from {{ ref('stg_signatures') }} as signatures
inner join {{ ref('versions') }} as versions
    on signatures.norm_version = versions.norm_version
inner join {{ ref('dedup_rules') }} as rules
    on signatures.scheme = rules.signature_scheme
inner join {{ ref('active_policy') }} as active_policy
    on rules.policy = active_policy.policy
inner join {{ ref('exact_documents') }} as documents
    on signatures.doc_id = documents.doc_id
