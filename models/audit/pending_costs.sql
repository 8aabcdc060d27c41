-- One row per (LLM table, stage, label_round, model): its pending requests, their tokens (estimated) and their price.
with

pending as (
    select 'query_extractions' as landed_table, stage, label_round, model, prompt, query_text, doc_text
    from {{ ref('pending_query_extractions') }}
    union all
    select 'duplicate_reviews' as landed_table, stage, label_round, model, prompt, query_text, doc_text
    from {{ ref('pending_duplicate_reviews') }}
    union all
    select 'query_checks' as landed_table, stage, label_round, model, prompt, query_text, doc_text
    from {{ ref('pending_query_checks') }}
    union all
    select 'same_problem_replies' as landed_table, stage, label_round, model, prompt, query_text, doc_text
    from {{ ref('pending_same_problem_replies') }}
    union all
    select 'llm_replies' as landed_table, stage, label_round, model, prompt, query_text, doc_text
    from {{ ref('pending_llm_replies') }}
),

estimated as (
    select
        pending.landed_table,
        pending.stage,
        pending.label_round,
        pending.model,
        prompts.n_chars
        + coalesce(length(pending.query_text), 0)
        + coalesce(length(pending.doc_text), 0) as n_chars,
        prices.chars_per_token,
        prices.expected_completion_tokens,
        prices.input_usd_per_million_tokens,
        prices.output_usd_per_million_tokens,
        prices.tokens_per_price
    from pending
    inner join {{ ref('prompts') }} as prompts
        on pending.prompt = prompts.prompt and prompts.is_current
    inner join {{ ref('prices') }} as prices
        on pending.model = prices.model
),

summed as (
    select
        landed_table,
        stage,
        label_round,
        model,
        tokens_per_price,
        input_usd_per_million_tokens,
        output_usd_per_million_tokens,
        count(*) as n_requests,
        sum(cast(n_chars as bigint)) / max(chars_per_token) as prompt_tokens,
        sum(cast(expected_completion_tokens as bigint)) as completion_tokens
    from estimated
    group by
        landed_table,
        stage,
        label_round,
        model,
        tokens_per_price,
        input_usd_per_million_tokens,
        output_usd_per_million_tokens
)

select
    landed_table,
    stage,
    label_round,
    model,
    n_requests,
    cast(prompt_tokens as double) as prompt_tokens,
    cast(completion_tokens as double) as completion_tokens,
    prompt_tokens * input_usd_per_million_tokens / tokens_per_price
    + completion_tokens * output_usd_per_million_tokens / tokens_per_price as cost_usd
from summed
