-- One row per released query, in the columns of the release.
{{ config(alias='queries') }}
select
    query_id as qid,
    query_text as text,
    source_doc_id as source_did,
    is_from_page_question as from_page_question,
    edit_ops,
    copied_share,
    is_merged_away as source_is_survivor
from {{ ref('queries') }}
