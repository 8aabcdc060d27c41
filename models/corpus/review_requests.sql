-- One row per (doc_id, keeper_id) whose deletion nobody can call safe by counting tokens: the request that asks.
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
    where llm_tasks.task = 'duplicate_review'
),

-- Kept whatever a review says: no earlier document is its neighbour.
first_ones as (
    select edges.keeper_id
    from {{ ref('duplicate_edges') }} as edges
    left join {{ ref('duplicate_edges') }} as earlier
        on edges.keeper_id = earlier.doc_id
    where earlier.doc_id is null
    group by edges.keeper_id
),

-- Deleted whatever a review says.
deleted as (
    select edges.doc_id
    from {{ ref('duplicate_edges') }} as edges
    inner join first_ones
        on edges.keeper_id = first_ones.keeper_id
    where edges.is_contained
    group by edges.doc_id
),

undecided as (
    select
        edges.doc_id,
        edges.keeper_id,
        to_delete.text as deleted_text,
        to_keep.text as kept_text
    from {{ ref('duplicate_edges') }} as edges
    left join deleted
        on edges.doc_id = deleted.doc_id
    left join deleted as deleted_keepers
        on edges.keeper_id = deleted_keepers.doc_id
    inner join {{ ref('exact_documents') }} as to_delete
        on edges.doc_id = to_delete.doc_id
    inner join {{ ref('exact_documents') }} as to_keep
        on edges.keeper_id = to_keep.doc_id
    where
        not edges.is_contained
        and deleted.doc_id is null
        and deleted_keepers.doc_id is null
)

-- A text that the request would cut cannot be judged: its page stays, unasked.
select
    undecided.doc_id,
    undecided.keeper_id,
    undecided.deleted_text,
    undecided.kept_text,
    {{ sha256_hex('undecided.deleted_text') }} as deleted_sha256,
    {{ sha256_hex('undecided.kept_text') }} as kept_sha256,
    task.prompt,
    task.prompt_sha256,
    task.model,
    task.parameters,
    task.truncation_chars,
    task.layout,
    task.max_attempts,
    task.policy
from undecided
cross join task
where
    length(undecided.deleted_text) <= task.truncation_chars
    and length(undecided.kept_text) <= task.truncation_chars
