-- One row per (LLM table, stage, label_round, model): what was asked of it so far, and what that cost.
with

replies as (
    {% for table in ('query_extractions', 'duplicate_reviews', 'query_checks', 'same_problem_replies', 'llm_replies') %}
        select
            '{{ table }}' as landed_table,
            stage,
            label_round,
            model,
            request_key,
            status,
            prompt_tokens,
            completion_tokens
        from {{ ref('stg_' ~ table) }}
        {{ '' if loop.last else 'union all' }}
    {% endfor %}
),

requests as (
    select
        landed_table,
        stage,
        label_round,
        model,
        request_key,
        count(*) as n_replies,
        cast(sum(case when status = 'ok' then 1 else 0 end) as bigint) as n_answered,
        cast(coalesce(sum(prompt_tokens), 0) as bigint) as prompt_tokens,
        cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens
    from replies
    group by landed_table, stage, label_round, model, request_key
),

summed as (
    select
        landed_table,
        stage,
        label_round,
        model,
        count(*) as n_requests,
        cast(sum(n_replies) as bigint) as n_replies,
        cast(sum(n_answered) as bigint) as n_answered,
        cast(sum(prompt_tokens) as bigint) as prompt_tokens,
        cast(sum(completion_tokens) as bigint) as completion_tokens
    from requests
    group by landed_table, stage, label_round, model
)

select
    summed.landed_table,
    summed.stage,
    summed.label_round,
    summed.model,
    summed.n_requests,
    summed.n_replies,
    summed.n_answered,
    summed.prompt_tokens,
    summed.completion_tokens,
    cast(summed.prompt_tokens as double) * prices.input_usd_per_million_tokens / prices.tokens_per_price
    + cast(summed.completion_tokens as double) * prices.output_usd_per_million_tokens / prices.tokens_per_price
        as cost_usd
from summed
left join {{ ref('prices') }} as prices
    on summed.model = prices.model
