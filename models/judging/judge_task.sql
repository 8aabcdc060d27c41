-- One row: whom the policy and the profile ask for labels, under which prompt and parameters.
select
    llm_tasks.policy,
    llm_tasks.prompt,
    prompts.prompt_sha256,
    llm_tasks.model,
    llm_tasks.parameters,
    llm_tasks.layout,
    llm_tasks.max_attempts
from {{ ref('llm_tasks') }} as llm_tasks
inner join {{ ref('active_policy') }} as active_policy
    on
        llm_tasks.policy = active_policy.policy
        and llm_tasks.profile = active_policy.profile
inner join {{ ref('prompts') }} as prompts
    on llm_tasks.prompt = prompts.prompt and prompts.is_current
where llm_tasks.task = 'judge'
