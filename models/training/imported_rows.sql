-- One row per (release, query_id) of an imported release that trains, chosen by the rules of training_rows.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
),

limits as (
    select text_limits.*
    from {{ ref('text_limits') }} as text_limits
    inner join {{ ref('active_policy') }} as active_policy
        on text_limits.policy = active_policy.policy
),

positives as (
    select
        usable.release,
        usable.query_id,
        usable.doc_id,
        usable.positive_origin,
        row_number() over (
            partition by usable.release, usable.query_id
            order by {{ seeded_order('rules.seed', ['usable.query_id', 'usable.doc_id']) }}, usable.doc_id
        ) as draw
    from {{ ref('imported_usable_pairs') }} as usable
    cross join rules
    where usable.is_positive
),

negatives as (
    select
        release,
        query_id,
        doc_id,
        row_number() over (
            partition by release, query_id order by dense_rank nulls last, doc_id
        ) as place
    from {{ ref('imported_usable_pairs') }}
    where is_negative
),

-- One join with the documents for all roles: a join for each is planned as their product.
picks as (
    select release, query_id, doc_id, 0 as place from positives where draw = 1
    union all
    select release, query_id, doc_id, place from negatives where place <= 1 + 2
),

chosen as (
    select
        picks.release,
        picks.query_id,
        max(case when picks.place = 0 then picks.doc_id end) as positive_doc_id,
        max(case when picks.place = 1 then picks.doc_id end) as negative_1_doc_id,
        max(case when picks.place = 2 then picks.doc_id end) as negative_2_doc_id,
        max(case when picks.place = 1 + 2 then picks.doc_id end) as negative_3_doc_id,
        max(case when picks.place = 0 then documents.text end) as positive,
        max(case when picks.place = 1 then documents.text end) as negative_1,
        max(case when picks.place = 2 then documents.text end) as negative_2,
        max(case when picks.place = 1 + 2 then documents.text end) as negative_3
    from picks
    inner join {{ ref('stg_imported_documents') }} as documents
        on picks.release = documents.release and picks.doc_id = documents.doc_id
    group by picks.release, picks.query_id
)

select
    outcomes.release,
    outcomes.query_id,
    chosen.positive_doc_id,
    positives.positive_origin,
    chosen.negative_1_doc_id,
    chosen.negative_2_doc_id,
    chosen.negative_3_doc_id,
    substr(queries.text, 1, limits.training_query_chars) as anchor,
    substr(chosen.positive, 1, limits.training_doc_chars) as positive,
    substr(chosen.negative_1, 1, limits.training_doc_chars) as negative_1,
    substr(chosen.negative_2, 1, limits.training_doc_chars) as negative_2,
    substr(chosen.negative_3, 1, limits.training_doc_chars) as negative_3
from {{ ref('imported_outcomes') }} as outcomes
cross join limits
inner join {{ ref('stg_imported_queries') }} as queries
    on outcomes.release = queries.release and outcomes.query_id = queries.query_id
inner join positives
    on
        outcomes.release = positives.release
        and outcomes.query_id = positives.query_id
        and positives.draw = 1
inner join chosen
    on outcomes.release = chosen.release and outcomes.query_id = chosen.query_id
where outcomes.reason is null
