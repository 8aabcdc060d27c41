-- rows(v2) = rows(v1) + gap + fused: what the base policy judges is the round v1, or v2_gap where v1 got no label;
-- every new candidate is v2_fused; nothing is in two rounds and nothing in none.
with

expected as (
    select
        query_id,
        doc_id,
        max(cast(is_base as integer)) = 1 as is_base
    from (
        select query_id, doc_id, rule = 'base' as is_base
        from {{ ref('candidates') }}
        where is_new or rule = 'base'
        union all
        select query_id, source_doc_id as doc_id, true as is_base
        from {{ ref('queries') }}
    ) as wanted
    group by query_id, doc_id
),

compared as (
    select
        coalesce(expected.query_id, judgments.query_id) as query_id,
        coalesce(expected.doc_id, judgments.doc_id) as doc_id,
        judgments.label_round,
        case
            when expected.query_id is null then 'judged, though no rule wants it'
            when judgments.query_id is null and exclusions.query_id is null
                then 'neither judged nor excluded'
            when judgments.query_id is not null and exclusions.query_id is not null
                then 'judged and excluded'
            when expected.is_base and judgments.label_round not in ('v1', 'v2_gap')
                then 'a pair of the base policy in another round'
            when not expected.is_base and judgments.label_round <> 'v2_fused'
                then 'a new candidate in another round'
        end as problem
    from expected
    full join {{ ref('judgments') }} as judgments
        on expected.query_id = judgments.query_id and expected.doc_id = judgments.doc_id
    left join {{ ref('pair_exclusions') }} as exclusions
        on expected.query_id = exclusions.query_id and expected.doc_id = exclusions.doc_id
)

select * from compared
where problem is not null
