-- One row per page, extractor version and norm version: its text, or why there is none.
select
    page_id,
    extractor,
    extractor_version,
    norm_version,
    outcome,
    reason,
    title,
    text,
    text_sha256,
    n_chars,
    n_formulas,
    math_sources,
    is_math_lossy,
    extract_mode,
    repetition_share,
    n_problems,
    blocks,
    landed_at
from {{ source('landed', 'page_texts') }}
