-- One row per written query: the first reason, if any, to drop it that its text alone gives.
with

leaked as (
    select text_id as query_id
    from {{ ref('likenesses') }}
    where not is_fixture
    group by text_id
),

-- Until every overlap is landed, it is open whether the query leaks.
unchecked as (
    select text_id as query_id
    from {{ ref('overlapping_pairs') }}
    where n_lcs is null and not is_fixture
    group by text_id
)

select
    written.query_id,
    written.query_text,
    written.query_sha256,
    sources.own_doc_id,
    sources.source_doc_id,
    coalesce(sources.is_merged_away, false) as is_merged_away,
    case
        when written.is_not_verbatim then 'not_verbatim'
        when deduplicated.kept_query_id <> written.query_id then 'duplicate_query'
        when leaked.query_id is not null then 'leaked'
        when written.is_multi_problem then 'multi_problem'
        when sources.page_id is null then 'no_source_document'
        when unchecked.query_id is not null then 'leakage_unpaid'
    end as reason
from {{ ref('written') }} as written
left join {{ ref('deduplicated') }} as deduplicated
    on written.query_id = deduplicated.query_id
left join leaked
    on written.query_id = leaked.query_id
left join unchecked
    on written.query_id = unchecked.query_id
left join {{ ref('page_sources') }} as sources
    on written.query_id = sources.page_id
