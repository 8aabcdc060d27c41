-- One row per (query_id, stage): the request that asks one of the judges whether the query can be understood alone.
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
    where llm_tasks.task in ('query_check', 'query_check_second')
)

select
    sourced.query_id,
    task.task as stage,
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
