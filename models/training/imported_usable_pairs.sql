-- One row per (release, query_id, doc_id) of an imported release that may train, by the rules of usable_pairs.
with

rules as (
    select training_rules.*
    from {{ ref('training_rules') }} as training_rules
    inner join {{ ref('active_policy') }} as active_policy
        on training_rules.policy = active_policy.policy
)

select
    labels.release,
    labels.query_id,
    labels.doc_id,
    labels.judge,
    labels.label,
    labels.is_source_page,
    labels.dense_rank,
    labels.label = rules.positive_label as is_positive,
    labels.label = rules.negative_label and not labels.is_source_page as is_negative,
    case
        when labels.is_source_page then 'source_page' else 'candidate'
    end as positive_origin
from {{ ref('imported_labels') }} as labels
cross join rules
where
    labels.is_query_evaluable
    and labels.stage is distinct from 'source_page'
    and (rules.admits_source_page or not labels.is_source_page)
