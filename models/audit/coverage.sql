-- One row per (list, depth): how many of the first ranks of the dense and the fused list have a judgment.
with

bands as (
    select rank_bands.last_rank as depth
    from {{ ref('rank_bands') }} as rank_bands
    inner join {{ ref('active_policy') }} as active_policy
        on rank_bands.policy = active_policy.policy
),

listed as (
    select
        query_id,
        doc_id,
        'dense' as list,
        dense_rank as list_rank
    from {{ ref('ranks') }}
    union all
    select
        query_id,
        doc_id,
        'fused' as list,
        fused_rank as list_rank
    from {{ ref('ranks') }}
),

judged as (
    select
        listed.list,
        listed.list_rank,
        count(*) as n_pairs,
        count(judgments.query_id) as n_judged
    from listed
    left join {{ ref('judgments') }} as judgments
        on listed.query_id = judgments.query_id and listed.doc_id = judgments.doc_id
    where listed.list_rank <= (select max(bands.depth) from bands)
    group by listed.list, listed.list_rank
)

select
    judged.list,
    bands.depth,
    cast(sum(judged.n_pairs) as bigint) as n_pairs,
    cast(sum(judged.n_judged) as bigint) as n_judged
from judged
inner join bands
    on judged.list_rank <= bands.depth
group by judged.list, bands.depth
