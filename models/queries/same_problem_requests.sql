-- One row per (query_id, item_sha256): the request that asks whether a query and an item near to it are the same problem.
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
    where llm_tasks.task = 'same_problem'
),

-- An item of two sets is asked about once; it is shown whole.
pairs as (
    select query_id, query_sha256, query_text, item_sha256, item_text
    from {{ ref('nearest_items') }}
    where is_near
    group by query_id, query_sha256, query_text, item_sha256, item_text
)

select
    pairs.query_id,
    pairs.query_sha256,
    pairs.item_sha256,
    substr(pairs.query_text, 1, task.truncation_chars) as query_text,
    pairs.item_text as doc_text,
    task.prompt,
    task.prompt_sha256,
    task.model,
    task.parameters,
    task.truncation_chars,
    task.layout,
    task.max_attempts,
    task.policy
from pairs
cross join task
