-- One row per (label_round, stage, length, label): judgments of short and of long documents.
select
    judgments.label_round,
    judgments.stage,
    case when lengths.is_long then 'long' else 'short' end as length,
    judgments.label,
    count(*) as n_judgments
from {{ ref('judgments') }} as judgments
left join {{ ref('document_lengths') }} as lengths
    on judgments.doc_id = lengths.doc_id
group by
    judgments.label_round,
    judgments.stage,
    case when lengths.is_long then 'long' else 'short' end,
    judgments.label
