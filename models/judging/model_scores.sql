-- One row per (query_id, doc_id) scored by the relevance model in use: the raw score and the label of its band.
{{ config(materialized='view') }}
select
    scores.query_id,
    scores.doc_id,
    scores.model,
    scores.raw_score,
    bands.label
from {{ ref('stg_relevance_scores') }} as scores
inner join {{ ref('relevance_model') }} as relevance_model
    on scores.model = relevance_model.model_id
inner join {{ ref('active_policy') }} as active_policy
    on true
inner join {{ ref('label_bands') }} as bands
    on
        active_policy.policy = bands.policy
        and (bands.min_score is null or scores.raw_score >= bands.min_score)
        and (bands.below_score is null or scores.raw_score < bands.below_score)
