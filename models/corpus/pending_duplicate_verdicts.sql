-- One row per near-duplicate pair that the conflict guard has not seen: the work list of landed.duplicate_verdicts.
select
    pairs.doc_a,
    pairs.doc_b,
    a.text as text_a,
    b.text as text_b,
    a.question_verbatim as question_a,
    b.question_verbatim as question_b
from {{ ref('duplicate_pairs') }} as pairs
cross join {{ ref('versions') }} as versions
inner join {{ ref('exact_documents') }} as a
    on pairs.doc_a = a.doc_id
inner join {{ ref('exact_documents') }} as b
    on pairs.doc_b = b.doc_id
left join {{ ref('stg_duplicate_verdicts') }} as verdicts
    on
        pairs.doc_a = verdicts.doc_a
        and pairs.doc_b = verdicts.doc_b
        and versions.guard_version = verdicts.guard_version
where verdicts.doc_a is null
