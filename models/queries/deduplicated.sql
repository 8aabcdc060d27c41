-- One row per written query that is verbatim enough: which page of its duplicates was drawn to keep it.
with

rules as (
    select query_rules.*
    from {{ ref('query_rules') }} as query_rules
    inner join {{ ref('active_policy') }} as active_policy
        on query_rules.policy = active_policy.policy
)

select
    written.query_id,
    written.query_sha256,
    forms.query_key,
    first_value(written.query_id) over (
        partition by forms.query_key
        order by {{ seeded_order('rules.seed', ['written.query_id']) }}, written.query_id
    ) as kept_query_id
from {{ ref('written') }} as written
cross join rules
inner join {{ ref('forms') }} as forms
    on written.query_sha256 = forms.query_sha256
where not written.is_not_verbatim
