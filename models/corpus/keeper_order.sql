-- One row per document: its place among the keepers of a duplicate cluster, the best text first.
select
    doc_id,
    cast(row_number() over (
        order by cast(is_math_lossy as integer), n_formulas desc, n_chars desc, doc_id
    ) as bigint) as place
from {{ ref('exact_documents') }}
