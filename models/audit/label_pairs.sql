-- One row per (comparison, query_id, doc_id): two labels of one pair, by the same judge at two times or by two judges.
{{ config(materialized='view') }}
with

-- The first usable reply to the ask that repeats another one.
repeated as (
    select
        repeats.query_id,
        repeats.doc_id,
        replies.label,
        row_number() over (
            partition by repeats.query_id, repeats.doc_id order by replies.attempt, replies.request_key
        ) as reply
    from {{ ref('repeats') }} as repeats
    inner join {{ ref('candidate_replies') }} as replies
        on
            repeats.query_id = replies.query_id
            and repeats.doc_id = replies.doc_id
            and repeats.ask = replies.ask
    where replies.outcome = 'ok'
),

paired as (
    select
        'llm_repeat' as comparison,
        labels.query_id,
        labels.doc_id,
        labels.label as first_label,
        repeated.label as second_label
    from {{ ref('llm_labels') }} as labels
    inner join repeated
        on labels.query_id = repeated.query_id and labels.doc_id = repeated.doc_id
    where repeated.reply = 1
    union all
    select
        'llm_source_page' as comparison,
        query_id,
        doc_id,
        source_label as first_label,
        candidate_label as second_label
    from {{ ref('repeated_judgments') }}
    union all
    select
        'llm_model' as comparison,
        labels.query_id,
        labels.doc_id,
        labels.label as first_label,
        scores.label as second_label
    from {{ ref('llm_labels') }} as labels
    inner join {{ ref('model_scores') }} as scores
        on labels.query_id = scores.query_id and labels.doc_id = scores.doc_id
    left join {{ ref('stg_trained_pairs') }} as trained
        on
            scores.model = trained.model_id
            and scores.query_id = trained.query_id
            and scores.doc_id = trained.doc_id
            and trained.split = 'train'
    where trained.model_id is null
)

select
    paired.comparison,
    paired.query_id,
    paired.doc_id,
    paired.first_label,
    paired.second_label,
    judgments.stage,
    judgments.label_round,
    case when candidates.is_long then 'long' else 'short' end as doc_length,
    candidates.dense_rank
from paired
inner join {{ ref('judgments') }} as judgments
    on paired.query_id = judgments.query_id and paired.doc_id = judgments.doc_id
inner join {{ ref('candidates') }} as candidates
    on paired.query_id = candidates.query_id and paired.doc_id = candidates.doc_id
