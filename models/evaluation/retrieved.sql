-- One row per (model, dimensions, query_id, rank): what a retriever found for a test query, and its label if judged.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
),

labelled as (
    select
        runs.model,
        runs.dimensions,
        runs.query_id,
        runs.rank,
        runs.doc_id,
        runs.score,
        judgments.label,
        judgments.label is not null as is_judged,
        coalesce(judgments.label = rules.relevant_label, false) as is_relevant
    from {{ ref('stg_evaluation_runs') }} as runs
    inner join {{ ref('corpus_fingerprint') }} as corpus
        on runs.fingerprint = corpus.fingerprint
    inner join {{ ref('evaluation_queries') }} as queries
        on runs.query_id = queries.query_id and queries.split = 'test'
    inner join rules
        on runs.rank <= rules.depth
    left join {{ ref('judgments') }} as judgments
        on runs.query_id = judgments.query_id and runs.doc_id = judgments.doc_id
)

select
    *,
    -- The rank once everything unjudged is taken out.
    case
        when is_judged then cast(sum(cast(is_judged as integer)) over (
            partition by model, dimensions, query_id order by rank
        ) as bigint)
    end as condensed_rank
from labelled
