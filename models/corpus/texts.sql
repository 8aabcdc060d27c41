-- One row per page whose extraction is landed: its text under the wanted version, with the policy's flags.
with

versions as (select * from {{ ref('versions') }}),

rules as (
    select query_rules.*
    from {{ ref('query_rules') }} as query_rules
    inner join {{ ref('active_policy') }} as active_policy
        on query_rules.policy = active_policy.policy
),

extracted as (
    select page_texts.*
    from {{ ref('stg_page_texts') }} as page_texts
    inner join versions
        on
            page_texts.extractor = versions.extractor
            and page_texts.extractor_version = versions.extractor_version
            and page_texts.norm_version = versions.norm_version
)

select
    pages.page_id,
    pages.source,
    pages.url,
    pages.n_captures,
    extracted.outcome,
    extracted.reason,
    extracted.title,
    extracted.text,
    extracted.text_sha256,
    extracted.n_chars,
    extracted.n_formulas,
    extracted.math_sources,
    extracted.is_math_lossy,
    extracted.extract_mode,
    extracted.repetition_share,
    extracted.n_problems,
    extracted.blocks,
    extracted.extractor_version,
    coalesce(extracted.repetition_share > rules.max_repetition_share, false) as is_degenerate,
    coalesce(extracted.n_problems >= rules.multi_problem_from, false) as is_multi_problem
from {{ ref('pages') }} as pages
inner join extracted
    on pages.page_id = extracted.page_id
cross join rules
