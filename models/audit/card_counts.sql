-- One row per (section, name): a count of the release's card, and the same counted from other tables.
with

card as (
    select 'rows' as section, 'corpus' as name, count(*) as n from {{ ref('release_corpus') }}
    union all
    select 'rows' as section, 'queries' as name, count(*) as n from {{ ref('release_queries') }}
    union all
    select 'rows' as section, 'judgments' as name, count(*) as n from {{ ref('judgments') }}
    union all
    select
        'labels' as section,
        concat_ws(' ', stage, judge, label_round, cast(label as string)) as name,
        n_judgments as n
    from {{ ref('label_mix') }}
    union all
    select 'funnel' as section, unit || ' ' || reason as name, n from {{ ref('funnel') }}
),

-- The LLM's labels by what answered, the relevance model's by what was scored.
labels as (
    select
        concat_ws(
            ' ',
            stage,
            case when request_key is not null then 'llm' else 'rm8b' end,
            label_round,
            cast(label as string)
        ) as name
    from {{ ref('judgments') }}
),

recounted as (
    select
        'rows' as section,
        case unit when 'document' then 'corpus' else 'queries' end as name,
        n
    from {{ ref('funnel_recounts') }}
    where unit in ('document', 'query') and reason = 'kept'
    union all
    select 'rows' as section, 'judgments' as name, coalesce(cast(sum(n_judgments) as bigint), 0) as n
    from {{ ref('label_mix_by_length') }}
    union all
    select 'labels' as section, name, count(*) as n from labels group by name
    union all
    select 'funnel' as section, unit || ' ' || reason as name, n from {{ ref('funnel_recounts') }}
)

select
    coalesce(card.section, recounted.section) as section,
    coalesce(card.name, recounted.name) as name,
    coalesce(card.n, 0) as n_card,
    coalesce(recounted.n, 0) as n_recounted,
    coalesce(card.n, 0) <> coalesce(recounted.n, 0) as is_alarm
from card
full outer join recounted
    on card.section = recounted.section and card.name = recounted.name
