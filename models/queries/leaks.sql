-- One row per (query_id, eval_set, item_id, method): a kept query that an evaluation set holds.
select
    text_id as query_id,
    eval_set,
    item_id,
    method,
    similarity
from {{ ref('likenesses') }}
where not is_fixture
union all
select
    nearest.query_id,
    nearest.eval_set,
    nearest.item_id,
    'semantic' as method,
    nearest.cosine as similarity
from {{ ref('nearest_items') }} as nearest
inner join {{ ref('same_problems') }} as verdicts
    on
        nearest.query_id = verdicts.query_id
        and nearest.item_sha256 = verdicts.item_sha256
where nearest.is_near and verdicts.same_problem = 'yes'
