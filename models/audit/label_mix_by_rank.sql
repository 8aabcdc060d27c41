-- One row per dense rank of a candidate: judgments and the share of each label.
select
    candidates.dense_rank,
    count(*) as n_judgments,
    count(case when judgments.label = 2 then 1 end) as n_solutions,
    avg(cast(judgments.label = 2 as integer)) as share_2,
    avg(cast(judgments.label = 1 as integer)) as share_1,
    avg(cast(judgments.label = 0 as integer)) as share_0
from {{ ref('judgments') }} as judgments
inner join {{ ref('candidates') }} as candidates
    on judgments.query_id = candidates.query_id and judgments.doc_id = candidates.doc_id
where
    (candidates.is_new or candidates.rule = 'base')
    and candidates.dense_rank is not null
    and judgments.label is not null
group by candidates.dense_rank
