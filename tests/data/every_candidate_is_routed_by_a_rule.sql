-- A candidate of the base policy, or a new one, that no judge rule sends anywhere.
select
    candidates.query_id,
    candidates.doc_id,
    candidates.rule,
    candidates.dense_rank,
    candidates.fused_rank,
    candidates.is_long
from {{ ref('candidates') }} as candidates
left join {{ ref('candidate_assignments') }} as assignments
    on candidates.query_id = assignments.query_id and candidates.doc_id = assignments.doc_id
where
    (candidates.is_new or candidates.rule = 'base')
    and assignments.query_id is null
