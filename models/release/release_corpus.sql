-- One row per released document, in the columns of the release.
{{ config(alias='corpus') }}
select
    doc_id as did,
    text,
    n_chars,
    is_multi_problem as multi_problem
from {{ ref('documents') }}
