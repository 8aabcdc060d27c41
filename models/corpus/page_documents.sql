-- One row per page whose question is removed: its document, or why nothing is left of it.
with

versions as (select * from {{ ref('versions') }}),

rules as (
    select removal_rules.*
    from {{ ref('removal_rules') }} as removal_rules
    inner join {{ ref('active_policy') }} as active_policy
        on removal_rules.policy = active_policy.policy
)

select
    questions.page_id,
    {{ doc_id('removals.canonical_sha256') }} as doc_id,
    removals.outcome as removal_outcome,
    removals.spans as removed_spans,
    removals.n_removed_chars,
    removals.residue_share,
    removals.text,
    removals.n_chars,
    removals.n_prose_tokens,
    removals.n_math_spans,
    questions.question_verbatim,
    texts.is_multi_problem,
    texts.is_math_lossy,
    texts.n_formulas,
    texts.title,
    removals.n_prose_tokens < rules.min_prose_tokens
    and removals.n_math_spans < rules.min_math_spans as is_without_solution,
    removals.residue_share > rules.max_residue_share as has_question_residue
from {{ ref('page_questions') }} as questions
cross join versions
cross join rules
inner join {{ ref('texts') }} as texts
    on questions.page_id = texts.page_id
inner join {{ ref('stg_question_removals') }} as removals
    on
        questions.page_id = removals.page_id
        and questions.text_sha256 = removals.text_sha256
        and questions.blocks_sha256 = removals.blocks_sha256
        and questions.question_sha256 = removals.question_sha256
        and versions.removal_version = removals.removal_version
        and versions.norm_version = removals.norm_version
