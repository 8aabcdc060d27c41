-- One row per document of an edge: is it kept? Kept is who has no kept earlier neighbour (safe edges only).
{{ config(materialized='first_come_keepers') }}
select
    doc_id as later_id,
    keeper_id as earlier_id
from {{ ref('safe_edges') }}
