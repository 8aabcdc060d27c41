-- One row per (stage, length, llm label, model label) of pairs both judges labelled and the model was not trained on.
select
    assignments.stage,
    case when candidates.is_long then 'long' else 'short' end as doc_length,
    llm_labels.label as llm_label,
    scores.label as model_label,
    count(*) as n_pairs
from {{ ref('candidate_assignments') }} as assignments
inner join {{ ref('candidates') }} as candidates
    on assignments.query_id = candidates.query_id and assignments.doc_id = candidates.doc_id
inner join {{ ref('llm_labels') }} as llm_labels
    on assignments.query_id = llm_labels.query_id and assignments.doc_id = llm_labels.doc_id
inner join {{ ref('model_scores') }} as scores
    on assignments.query_id = scores.query_id and assignments.doc_id = scores.doc_id
left join {{ ref('stg_trained_pairs') }} as trained
    on
        scores.model = trained.model_id
        and scores.query_id = trained.query_id
        and scores.doc_id = trained.doc_id
        and trained.split = 'train'
where assignments.judge = 'rm8b' and trained.model_id is null
group by
    assignments.stage,
    case when candidates.is_long then 'long' else 'short' end,
    llm_labels.label,
    scores.label
