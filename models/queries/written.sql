-- One row per page for which a query was written: the query and what is measured of it beside its page.
with

rules as (
    select query_rules.*
    from {{ ref('query_rules') }} as query_rules
    inner join {{ ref('active_policy') }} as active_policy
        on query_rules.policy = active_policy.policy
)

select
    extractions.page_id as query_id,
    extractions.query_text,
    {{ sha256_hex('extractions.query_text') }} as query_sha256,
    extractions.question_verbatim,
    extractions.is_from_page_question,
    extractions.edit_ops,
    texts.is_multi_problem,
    cast(copied.n_copied_chars as double) / cast(length(extractions.query_text) as double) as copied_share,
    checks.is_question_on_page,
    checks.is_edit_plausible,
    checks.n_formulas,
    checks.n_changed_formulas,
    extractions.is_from_page_question
    and (
        copied.n_copied_chars < rules.min_copied_share * length(extractions.query_text)
        or checks.n_changed_formulas > rules.max_changed_formulas
    ) as is_not_verbatim
from {{ ref('extractions') }} as extractions
cross join rules
inner join {{ ref('texts') }} as texts
    on extractions.page_id = texts.page_id
inner join {{ ref('copied_chars') }} as copied
    on extractions.page_id = copied.query_id
inner join {{ ref('extraction_checks') }} as checks
    on extractions.page_id = checks.query_id
where extractions.has_query
