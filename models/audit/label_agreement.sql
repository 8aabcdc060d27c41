-- One row per (comparison, dimension, part): how well two labels of the same pairs agree, beyond chance.
-- Sums of whole numbers and one division: the same doubles on every engine.
with

rules as (
    select audit_rules.*
    from {{ ref('audit_rules') }} as audit_rules
    inner join {{ ref('active_policy') }} as active_policy
        on audit_rules.policy = active_policy.policy
),

-- A pair counts in each of these.
parts as (
    select comparison, 'all' as dimension, 'all' as part, first_label, second_label
    from {{ ref('label_pairs') }}
    union all
    select comparison, 'stage' as dimension, stage as part, first_label, second_label
    from {{ ref('label_pairs') }}
    union all
    select comparison, 'label_round' as dimension, label_round as part, first_label, second_label
    from {{ ref('label_pairs') }}
    union all
    select comparison, 'doc_length' as dimension, doc_length as part, first_label, second_label
    from {{ ref('label_pairs') }}
    union all
    select
        pairs.comparison,
        'first_dense_rank' as dimension,
        coalesce(cast(
            cast(floor(cast(pairs.dense_rank - 1 as double) / rules.ranks_per_band) as bigint)
            * rules.ranks_per_band + 1
            as string
        ), 'none') as part,
        pairs.first_label,
        pairs.second_label
    from {{ ref('label_pairs') }} as pairs
    cross join rules
),

summed as (
    select
        comparison,
        dimension,
        part,
        cast(count(*) as bigint) as n_pairs,
        cast(sum(cast(first_label is null or second_label is null as integer)) as bigint) as n_not_evaluable,
        cast(count(first_label + second_label) as bigint) as n,
        cast(sum(case when first_label = second_label then 1 else 0 end) as bigint) as n_equal,
        cast(sum(case when second_label is not null then first_label end) as bigint) as first_sum,
        cast(sum(case when first_label is not null then second_label end) as bigint) as second_sum,
        cast(sum(case when second_label is not null then first_label * first_label end) as bigint)
        + cast(sum(case when first_label is not null then second_label * second_label end) as bigint) as squares,
        cast(sum(first_label * second_label) as bigint) as products,
        {% for label in (0, 1, 2) %}
            cast(sum(case when first_label = {{ label }} and second_label is not null then 1 else 0 end) as bigint)
            * cast(sum(case when second_label = {{ label }} and first_label is not null then 1 else 0 end) as bigint)
            {{ 'as by_chance' if loop.last else '+' }}
        {% endfor %}
    from parts
    group by comparison, dimension, part
)

select
    comparison,
    dimension,
    part,
    n_pairs,
    n_not_evaluable,
    case when n > 0 then cast(n_equal as double) / n end as agreement,
    case when n * n > by_chance then cast(n * n_equal - by_chance as double) / (n * n - by_chance) end as kappa,
    case
        when n * squares > 2 * first_sum * second_sum
            then 1 - cast(n * (squares - 2 * products) as double) / (n * squares - 2 * first_sum * second_sum)
    end as quadratic_kappa
from summed
