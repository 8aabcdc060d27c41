-- One row per (query_id, eval_set, item_id, method): a kept query that an evaluation set holds.
select
    text_id as query_id,
    eval_set,
    item_id,
    method,
    similarity
from {{ ref('likenesses') }}
where not is_fixture
