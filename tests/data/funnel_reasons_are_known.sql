-- A reason of the funnel that exclusion_reasons does not list for that unit.
select
    funnel.unit,
    funnel.reason,
    funnel.n
from {{ ref('funnel') }} as funnel
left join {{ ref('exclusion_reasons') }} as reasons
    on
        funnel.reason = reasons.reason
        and funnel.unit = case when reasons.unit = 'document' then 'page' else reasons.unit end
where funnel.reason not in ('kept', 'waiting') and reasons.reason is null
