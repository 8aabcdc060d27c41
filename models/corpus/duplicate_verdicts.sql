-- One row per near-duplicate pair: its similarity, the guard's verdict, and what each text lacks.
select
    pairs.doc_a,
    pairs.doc_b,
    pairs.jaccard,
    verdicts.is_conflict,
    verdicts.conflict,
    verdicts.n_tokens_only_a,
    verdicts.n_tokens_only_b
from {{ ref('duplicate_pairs') }} as pairs
cross join {{ ref('versions') }} as versions
inner join {{ ref('stg_duplicate_verdicts') }} as verdicts
    on
        pairs.doc_a = verdicts.doc_a
        and pairs.doc_b = verdicts.doc_b
        and versions.guard_version = verdicts.guard_version
