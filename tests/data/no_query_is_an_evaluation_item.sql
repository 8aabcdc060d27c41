-- A query that enters retrieval and is, by its key, an item of an evaluation set.
select
    queries.query_id,
    items.eval_set,
    items.item_id
from {{ ref('queries') }} as queries
inner join {{ ref('forms') }} as forms
    on queries.query_sha256 = forms.query_sha256
inner join {{ ref('stg_evaluation_items') }} as items
    on forms.query_key = items.query_key
inner join {{ ref('versions') }} as versions
    on items.norm_version = versions.norm_version
