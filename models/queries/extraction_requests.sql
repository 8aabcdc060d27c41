-- One row per usable page: the request that asks an LLM for its question, with its conditions.
with

task as (
    select
        llm_tasks.*,
        prompts.prompt_sha256
    from {{ ref('llm_tasks') }} as llm_tasks
    inner join {{ ref('active_policy') }} as active_policy
        on
            llm_tasks.policy = active_policy.policy
            and llm_tasks.profile = active_policy.profile
    inner join {{ ref('prompts') }} as prompts
        on llm_tasks.prompt = prompts.prompt and prompts.is_current
    where llm_tasks.task = 'query_extraction'
),

shown as (
    select
        texts.page_id,
        substr(texts.text, 1, task.truncation_chars) as doc_text
    from {{ ref('texts') }} as texts
    cross join task
    where texts.outcome = 'ok' and not texts.is_degenerate
)

select
    shown.page_id,
    shown.doc_text,
    {{ sha256_hex('shown.doc_text') }} as doc_sha256,
    task.prompt,
    task.prompt_sha256,
    task.model,
    task.parameters,
    task.truncation_chars,
    task.layout,
    task.max_attempts,
    task.policy
from shown
cross join task
