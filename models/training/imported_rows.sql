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

chosen as (
    select
        release,
        query_id,
        max(case when place = 1 then doc_id end) as negative_1_doc_id,
        max(case when place = 2 then doc_id end) as negative_2_doc_id,
        max(case when place = 1 + 2 then doc_id end) as negative_3_doc_id
    from negatives
    group by release, query_id
)

select
    outcomes.release,
    outcomes.query_id,
    positives.doc_id as positive_doc_id,
    positives.positive_origin,
    chosen.negative_1_doc_id,
    chosen.negative_2_doc_id,
    chosen.negative_3_doc_id,
    substr(queries.text, 1, limits.training_query_chars) as anchor,
    substr(positive.text, 1, limits.training_doc_chars) as positive,
    substr(negative_1.text, 1, limits.training_doc_chars) as negative_1,
    substr(negative_2.text, 1, limits.training_doc_chars) as negative_2,
    substr(negative_3.text, 1, limits.training_doc_chars) as negative_3
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
inner join {{ ref('stg_imported_documents') }} as positive
    on outcomes.release = positive.release and positives.doc_id = positive.doc_id
inner join {{ ref('stg_imported_documents') }} as negative_1
    on outcomes.release = negative_1.release and chosen.negative_1_doc_id = negative_1.doc_id
inner join {{ ref('stg_imported_documents') }} as negative_2
    on outcomes.release = negative_2.release and chosen.negative_2_doc_id = negative_2.doc_id
inner join {{ ref('stg_imported_documents') }} as negative_3
    on outcomes.release = negative_3.release and chosen.negative_3_doc_id = negative_3.doc_id
where outcomes.reason is null
