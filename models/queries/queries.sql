-- One row per query that enters retrieval.
select
    sourced.query_id,
    sourced.query_text,
    sourced.query_sha256,
    sourced.source_doc_id,
    sourced.is_merged_away,
    written.is_from_page_question,
    written.edit_ops,
    written.copied_share
from {{ ref('sourced') }} as sourced
inner join {{ ref('written') }} as written
    on sourced.query_id = written.query_id
inner join {{ ref('checks') }} as checks
    on sourced.query_id = checks.query_id
where
    sourced.reason is null
    and checks.reason is null
