-- One row per query of this warehouse: its text and its split.
{{ config(alias='queries') }}
select
    queries.query_id,
    queries.query_text,
    splits.split
from {{ ref('queries') }} as queries
inner join {{ ref('splits') }} as splits
    on queries.query_id = splits.query_id and splits.release = ''
