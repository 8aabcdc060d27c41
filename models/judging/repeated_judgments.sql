-- One row per (query_id, doc_id) judged by the LLM at the source-page check and again as a candidate.
select
    source_labels.query_id,
    source_labels.doc_id,
    source_labels.label as source_label,
    llm_labels.label as candidate_label,
    source_labels.label is not distinct from llm_labels.label as is_same
from {{ ref('source_labels') }} as source_labels
inner join {{ ref('llm_labels') }} as llm_labels
    on
        source_labels.query_id = llm_labels.query_id
        and source_labels.doc_id = llm_labels.doc_id
