-- One row per (comparison, stage, doc_length, first_label, second_label): pairs with these two labels.
select
    comparison,
    stage,
    doc_length,
    first_label,
    second_label,
    count(*) as n_pairs
from {{ ref('label_pairs') }}
group by comparison, stage, doc_length, first_label, second_label
