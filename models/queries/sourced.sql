-- One row per screened query: whether the document that stands for its page solves it, by the judge's label.
select
    screened.query_id,
    screened.query_text,
    screened.query_sha256,
    screened.source_doc_id,
    screened.is_merged_away,
    labels.label as source_label,
    case
        when gaps.query_id is not null then 'source_gap'
        when labels.query_id is null then 'source_unpaid'
        when labels.label = 2 then null
        when screened.is_merged_away then 'survivor_does_not_answer'
        else 'source_not_correct'
    end as reason
from {{ ref('screened') }} as screened
left join {{ ref('source_labels') }} as labels
    on
        screened.query_id = labels.query_id
        and screened.source_doc_id = labels.doc_id
left join {{ ref('source_gaps') }} as gaps
    on
        screened.query_id = gaps.query_id
        and screened.source_doc_id = gaps.doc_id
where screened.reason is null
