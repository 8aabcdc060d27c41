-- A document of a training row that may not stand where it stands, and why.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
),

members as (
    select query_id, positive_doc_id as doc_id, true as is_positive
    from {{ ref('training_rows') }}
    union all
    select query_id, negative_1_doc_id as doc_id, false as is_positive
    from {{ ref('training_rows') }}
    union all
    select query_id, negative_2_doc_id as doc_id, false as is_positive
    from {{ ref('training_rows') }}
    union all
    select query_id, negative_3_doc_id as doc_id, false as is_positive
    from {{ ref('training_rows') }}
),

checked as (
    select
        members.query_id,
        members.doc_id,
        case
            when judgments.query_id is null then 'not judged'
            when judgments.stage = 'source_page' then 'judged at the source-page check only'
            when not judgments.is_query_evaluable then 'not evaluable'
            when members.is_positive and judgments.label is distinct from rules.positive_label
                then 'a positive without the positive label'
            when not members.is_positive and judgments.label is distinct from rules.negative_label
                then 'a negative without the negative label'
            when members.doc_id = queries.source_doc_id
                and (not members.is_positive or not rules.admits_source_page)
                then 'the source page of the query'
            when count(*) over (partition by members.query_id, members.doc_id) > 1
                then 'twice in one row'
        end as problem
    from members
    cross join rules
    inner join {{ ref('queries') }} as queries
        on members.query_id = queries.query_id
    left join {{ ref('judgments') }} as judgments
        on members.query_id = judgments.query_id and members.doc_id = judgments.doc_id
)

select * from checked
where problem is not null
