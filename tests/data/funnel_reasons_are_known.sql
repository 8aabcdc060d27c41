-- A reason of the funnel that exclusion_reasons does not list for that unit.
select
    funnel.unit,
    funnel.reason,
    funnel.n
from {{ ref('funnel') }} as funnel
left join {{ ref('exclusion_reasons') }} as reasons
    on
        funnel.reason = reasons.reason
        and (funnel.unit = reasons.unit or (reasons.unit = 'document' and funnel.unit = 'page'))
where funnel.reason not in ('kept', 'waiting') and reasons.reason is null
