-- One row per (day, model, layout, stage): the LLM's labels by the day on which they were made.
select
    cast(replies.sent_at as date) as sent_on,
    judgments.model,
    judgments.layout,
    judgments.stage,
    count(*) as n_judgments,
    avg(cast(coalesce(judgments.label = 2, false) as integer)) as share_2,
    avg(cast(coalesce(judgments.label = 1, false) as integer)) as share_1,
    avg(cast(coalesce(judgments.label = 0, false) as integer)) as share_0,
    avg(cast(judgments.label is null as integer)) as share_not_evaluable
from {{ ref('judgments') }} as judgments
inner join {{ ref('stg_llm_replies') }} as replies
    on judgments.request_key = replies.request_key and judgments.attempt = replies.attempt
where judgments.judge = 'llm'
group by cast(replies.sent_at as date), judgments.model, judgments.layout, judgments.stage
