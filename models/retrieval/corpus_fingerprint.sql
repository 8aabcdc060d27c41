-- One row: the size of the searched corpus and a fingerprint of its documents that ignores their order.
with

summed as (
    select
        count(*) as n_documents,
        sum(cast({{ hash_number('doc_id') }} as decimal(38, 0))) as hash_sum
    from {{ ref('documents') }}
)

select
    cast(n_documents as bigint) as n_documents,
    md5(concat_ws(
        '|',
        cast(n_documents as {{ dbt.type_string() }}),
        cast(hash_sum as {{ dbt.type_string() }})
    )) as fingerprint
from summed
