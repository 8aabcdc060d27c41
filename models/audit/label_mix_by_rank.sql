-- One row per dense rank of a candidate: judgments and the share of each label.
select
    ranks.dense_rank,
    count(*) as n_judgments,
    avg(cast(judgments.label = 2 as integer)) as share_2,
    avg(cast(judgments.label = 1 as integer)) as share_1,
    avg(cast(judgments.label = 0 as integer)) as share_0
from {{ ref('judgments') }} as judgments
inner join {{ ref('ranks') }} as ranks
    on judgments.query_id = ranks.query_id and judgments.doc_id = ranks.doc_id
inner join {{ ref('candidates') }} as candidates
    on judgments.query_id = candidates.query_id and judgments.doc_id = candidates.doc_id
where ranks.dense_rank is not null and judgments.label is not null
group by ranks.dense_rank
