-- One row per (release, query_id): test, near_test or train; the release '' is this warehouse.
with

rules as (
    select evaluation_rules.*
    from {{ ref('evaluation_rules') }} as evaluation_rules
    inner join {{ ref('active_policy') }} as active_policy
        on evaluation_rules.policy = active_policy.policy
),

all_queries as (
    select '' as release, query_id from {{ ref('queries') }}
    union all
    select release, query_id from {{ ref('stg_imported_queries') }}
),

labels as (
    select '' as release, query_id, doc_id, label from {{ ref('judgments') }}
    union all
    select release, query_id, doc_id, label from {{ ref('imported_labels') }}
),

solved as (
    select labels.release, labels.query_id, labels.doc_id
    from labels
    inner join rules
        on labels.label = rules.relevant_label
),

drawn as (
    select
        all_queries.release,
        all_queries.query_id,
        {{ hash_bucket("concat_ws('|', rules.seed, all_queries.query_id)", 'rules.n_buckets') }}
        < rules.test_share * rules.n_buckets as is_test
    from all_queries
    cross join rules
),

-- A document that solves a test query and another one says that the two ask the same.
test_solutions as (
    select solved.release, solved.doc_id
    from solved
    inner join drawn
        on solved.release = drawn.release and solved.query_id = drawn.query_id and drawn.is_test
    group by solved.release, solved.doc_id
),

near_test as (
    select solved.release, solved.query_id
    from solved
    inner join test_solutions
        on solved.release = test_solutions.release and solved.doc_id = test_solutions.doc_id
    group by solved.release, solved.query_id
)

select
    drawn.release,
    drawn.query_id,
    case
        when drawn.is_test then 'test'
        when near_test.query_id is not null then 'near_test'
        else 'train'
    end as split
from drawn
left join near_test
    on drawn.release = near_test.release and drawn.query_id = near_test.query_id
