-- One row per page, question and version: the page's text with that question removed.
select
    page_id,
    text_sha256,
    blocks_sha256,
    question_sha256,
    removal_version,
    norm_version,
    outcome,
    spans,
    n_removed_chars,
    residue_share,
    text,
    canonical_sha256,
    n_chars,
    n_prose_tokens,
    n_math_spans,
    landed_at
from {{ source('landed', 'question_removals') }}
