-- One row per released (qid, did) judgment, in the columns of the release.
{{ config(alias='judgments', materialized='view') }}
select
    judgments.query_id as qid,
    judgments.doc_id as did,
    ranks.dense_rank,
    ranks.bm25_rank,
    ranks.ngram5_rank,
    ranks.fused_rank,
    ranks.rrf_score,
    judgments.stage,
    judgments.label,
    judgments.is_query_evaluable as query_evaluable,
    judgments.is_source_page,
    judgments.judge,
    judgments.raw_score as rm8b_score,
    ranks.dense_score,
    reranked.reranker_score,
    judgments.answer_validity,
    judgments.reason_codes,
    judgments.confidence,
    judgments.rationale,
    judgments.prompt_sha256 as rubric_sha256,
    judgments.label_round,
    judgments.model as llm_model,
    judgments.parameters as llm_parameters,
    judgments.truncation_chars,
    judgments.layout,
    judgments.position,
    judgments.ask,
    judgments.relevance_model
from {{ ref('judgments') }} as judgments
left join {{ ref('candidates') }} as ranks
    on judgments.query_id = ranks.query_id and judgments.doc_id = ranks.doc_id
left join {{ ref('reranker_ranks') }} as reranked
    on judgments.query_id = reranked.query_id and judgments.doc_id = reranked.doc_id
