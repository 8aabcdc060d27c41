-- One row per landed table whose facts can grow old: how many rows answer to another version, corpus or model.
select
    'page_texts' as landed_table,
    count(*) as n_stale
from {{ ref('stg_page_texts') }} as facts
left join {{ ref('versions') }} as versions
    on
        facts.extractor_version = versions.extractor_version
        and facts.norm_version = versions.norm_version
where versions.extractor is null
union all
select
    'runs' as landed_table,
    count(*) as n_stale
from {{ ref('stg_runs') }} as facts
left join {{ ref('searches') }} as searches
    on
        facts.query_id = searches.query_id
        and facts.route = searches.route
        and facts.fingerprint = searches.fingerprint
where searches.query_id is null
union all
select
    'embeddings' as landed_table,
    count(*) as n_stale
from {{ ref('stg_embeddings') }} as facts
left join {{ ref('texts_to_embed') }} as texts
    on
        facts.kind = texts.kind
        and facts.id = texts.id
        and facts.text_sha256 = texts.text_sha256
where texts.id is null
union all
select
    'llm_replies' as landed_table,
    count(*) as n_stale
from {{ ref('stg_llm_replies') }} as facts
left join {{ ref('judge_task') }} as judge_task
    on
        facts.prompt_sha256 = judge_task.prompt_sha256
        and facts.model = judge_task.model
        and facts.parameters = judge_task.parameters
where judge_task.model is null
union all
select
    'relevance_scores' as landed_table,
    count(*) as n_stale
from {{ ref('stg_relevance_scores') }} as facts
left join {{ ref('relevance_model') }} as relevance_model
    on facts.model = relevance_model.model_id
where relevance_model.model_id is null
