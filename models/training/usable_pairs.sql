-- One row per candidate (query_id, doc_id) that may train: evaluable, and not the query's own page unless admitted.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
)

select
    judgments.query_id,
    judgments.doc_id,
    judgments.judge,
    judgments.label,
    judgments.is_source_page,
    ranks.dense_rank,
    judgments.label = rules.positive_label as is_positive,
    judgments.label = rules.negative_label and not judgments.is_source_page as is_negative,
    case
        when judgments.is_source_page then 'source_page' else 'candidate'
    end as positive_origin
from {{ ref('judgments') }} as judgments
cross join rules
left join {{ ref('candidates') }} as ranks
    on judgments.query_id = ranks.query_id and judgments.doc_id = ranks.doc_id
where
    judgments.is_query_evaluable
    and judgments.stage <> 'source_page'
    and (rules.admits_source_page or not judgments.is_source_page)
