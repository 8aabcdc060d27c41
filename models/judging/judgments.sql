-- One row per judged (query_id, doc_id): the label that won, by whom, in which stage and round.
-- Wide rows of many pairs: made range by range, each range reading all replies once.
{{ config(materialized='bucketed', bucket_by='query_id', bucket_of='queries') }}
with

-- A candidate's stage and round; the round of a gap is the one that answered it.
candidate_pairs as (
    select
        query_id,
        doc_id,
        min(stage) as stage,
        min(label_round) as label_round
    from {{ ref('candidate_assignments') }}
    group by query_id, doc_id
),

-- Of two labels the one of the judge of lower precedence wins; the raw score is kept in any case.
precedences as (
    select
        max(case when judge = 'llm' then precedence end)
        < max(case when judge = 'rm8b' then precedence end) as is_llm_first
    from {{ ref('judges') }}
),

resolved as (
    select
        pairs.query_id,
        pairs.doc_id,
        pairs.stage,
        coalesce(labels.label_round, pairs.label_round) as label_round,
        labels.query_id is not null as is_llm,
        case when labels.query_id is not null then labels.label else scores.label end as label,
        coalesce(labels.is_query_evaluable, true) as is_query_evaluable,
        scores.raw_score,
        scores.model as relevance_model,
        labels.request_key,
        labels.attempt,
        labels.ask
    from candidate_pairs as pairs
    cross join precedences
    left join {{ ref('model_scores') }} as scores
        on pairs.query_id = scores.query_id and pairs.doc_id = scores.doc_id
    left join {{ ref('llm_labels') }} as labels
        on
            pairs.query_id = labels.query_id
            and pairs.doc_id = labels.doc_id
            and (precedences.is_llm_first or scores.query_id is null)
    where labels.query_id is not null or scores.query_id is not null
),

-- The source-page check stands where the pair was judged in no candidate stage.
source_only as (
    select
        labels.query_id,
        labels.doc_id,
        'source_page' as stage,
        cast(null as string) as label_round,
        true as is_llm,
        labels.label,
        labels.is_query_evaluable,
        cast(null as double) as raw_score,
        cast(null as string) as relevance_model,
        labels.request_key,
        labels.attempt,
        cast(null as bigint) as ask
    from {{ ref('source_labels') }} as labels
    left join resolved
        on labels.query_id = resolved.query_id and labels.doc_id = resolved.doc_id
    where resolved.query_id is null
),

all_pairs as (
    select * from resolved
    union all
    select * from source_only
)

select
    all_pairs.query_id,
    all_pairs.doc_id,
    all_pairs.stage,
    coalesce(all_pairs.label_round, replies.label_round) as label_round,
    case when all_pairs.is_llm then 'llm' else 'rm8b' end as judge,
    all_pairs.label,
    all_pairs.is_query_evaluable,
    all_pairs.raw_score,
    all_pairs.relevance_model,
    all_pairs.doc_id = queries.source_doc_id as is_source_page,
    all_pairs.request_key,
    all_pairs.attempt,
    replies.answer_validity,
    replies.reason_codes,
    replies.confidence,
    replies.rationale,
    replies.prompt_sha256,
    replies.model,
    replies.parameters,
    replies.truncation_chars,
    replies.layout,
    replies.position,
    coalesce(all_pairs.ask, replies.ask) as ask
from all_pairs
inner join {{ ref('queries') }} as queries
    on all_pairs.query_id = queries.query_id
left join {{ ref('replies') }} as replies
    on all_pairs.request_key = replies.request_key and all_pairs.attempt = replies.attempt
