-- One row per set of conditions under which the LLM made labels that won: how many, and their mix.
with

labels as (
    select
        judgments.label,
        judgments.label_round,
        judgments.prompt_sha256,
        judgments.model,
        replies.model_reported,
        {{ json_text('judgments.parameters', 'reasoning_effort') }} as effort,
        judgments.parameters,
        judgments.truncation_chars,
        judgments.layout
    from {{ ref('judgments') }} as judgments
    inner join {{ ref('replies') }} as replies
        on judgments.request_key = replies.request_key and judgments.attempt = replies.attempt
    where judgments.judge = 'llm'
)

select
    prompt_sha256,
    model,
    model_reported,
    effort,
    parameters,
    truncation_chars,
    layout,
    label_round,
    count(*) as n_labels,
    cast(sum(case when label = 2 then 1 else 0 end) as bigint) as n_2,
    cast(sum(case when label = 1 then 1 else 0 end) as bigint) as n_1,
    cast(sum(case when label = 0 then 1 else 0 end) as bigint) as n_0,
    cast(sum(case when label is null then 1 else 0 end) as bigint) as n_not_evaluable
from labels
group by prompt_sha256, model, model_reported, effort, parameters, truncation_chars, layout, label_round
