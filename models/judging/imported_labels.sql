-- One row per judged pair of an imported release: its label by the active policy's cuts, and the released one.
select
    judgments.release,
    judgments.query_id,
    judgments.doc_id,
    judgments.stage,
    judgments.label_round,
    judgments.judge,
    judgments.raw_score,
    judgments.dense_rank,
    judgments.fused_rank,
    coalesce(judgments.is_query_evaluable, judgments.label is not null) as is_query_evaluable,
    coalesce(judgments.is_source_page, judgments.doc_id = queries.source_doc_id, false) as is_source_page,
    judgments.label as released_label,
    case when bands.label is not null then bands.label else judgments.label end as label,
    bands.label is not null and bands.label is distinct from judgments.label as is_changed
from {{ ref('stg_imported_judgments') }} as judgments
left join {{ ref('stg_imported_queries') }} as queries
    on judgments.release = queries.release and judgments.query_id = queries.query_id
inner join {{ ref('active_policy') }} as active_policy
    on true
-- The relevance model's labels are cut anew; the LLM's stand.
left join {{ ref('label_bands') }} as bands
    on
        judgments.judge = 'rm8b'
        and active_policy.policy = bands.policy
        and judgments.raw_score is not null
        and (bands.min_score is null or judgments.raw_score >= bands.min_score)
        and (bands.below_score is null or judgments.raw_score < bands.below_score)
