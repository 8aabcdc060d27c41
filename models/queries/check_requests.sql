-- One row per query whose page solves it: the request that asks whether it can be understood alone.
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
    where llm_tasks.task = 'query_check'
)

select
    sourced.query_id,
    sourced.query_sha256,
    substr(sourced.query_text, 1, task.truncation_chars) as query_text,
    task.prompt,
    task.prompt_sha256,
    task.model,
    task.parameters,
    task.truncation_chars,
    task.layout,
    task.max_attempts,
    task.policy
from {{ ref('sourced') }} as sourced
cross join task
where sourced.reason is null
