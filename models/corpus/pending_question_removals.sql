-- One row per page and question not yet removed from it: the work list of landed.question_removals.
with

versions as (select * from {{ ref('versions') }}),

wanted as (
    select
        page_id,
        text_sha256,
        text,
        blocks,
        blocks_sha256,
        question_verbatim,
        question_sha256
    from {{ ref('page_questions') }}
)

select
    wanted.page_id,
    wanted.text_sha256,
    wanted.text,
    wanted.blocks,
    wanted.question_verbatim
from wanted
cross join versions
left join {{ ref('stg_question_removals') }} as removals
    on
        wanted.page_id = removals.page_id
        and wanted.text_sha256 = removals.text_sha256
        and wanted.blocks_sha256 = removals.blocks_sha256
        and wanted.question_sha256 = removals.question_sha256
        and versions.removal_version = removals.removal_version
        and versions.norm_version = removals.norm_version
where removals.page_id is null
