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
            attempt,
            status,
            prompt_tokens,
            completion_tokens
        from {{ ref('stg_' ~ table) }}
        {{ '' if loop.last else 'union all' }}
    {% endfor %}
),

summed as (
    select
        landed_table,
        stage,
        label_round,
        model,
        count(distinct request_key) as n_requests,
        count(*) as n_replies,
        cast(sum(case when status = 'ok' then 1 else 0 end) as bigint) as n_answered,
        cast(coalesce(sum(prompt_tokens), 0) as bigint) as prompt_tokens,
        cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens
    from replies
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
