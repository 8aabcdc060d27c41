-- At most one row: the relevance model in use, the highest version trained for the profile.
with

versions as (
    select
        models.*,
        row_number() over (order by models.version desc, models.model_id) as choice
    from {{ ref('stg_trained_models') }} as models
    inner join {{ ref('active_policy') }} as active_policy
        on models.base_model = active_policy.relevance_base
    where models.role = 'relevance_model'
)

select
    model_id,
    version,
    path
from versions
where choice = 1
