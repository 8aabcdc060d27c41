-- One row per query text without its forms: the work list of landed.query_forms.
with

-- Of the written queries, and of the labelled pairs on which the rules of leakage are measured.
texts as (
    select query_sha256, query_text from {{ ref('written') }}
    union
    select {{ sha256_hex('query_text') }} as query_sha256, query_text from {{ ref('leakage_pairs') }}
    union
    select {{ sha256_hex('item_text') }} as query_sha256, item_text as query_text from {{ ref('leakage_pairs') }}
)

select
    texts.query_sha256,
    texts.query_text
from texts
left join {{ ref('forms') }} as forms
    on texts.query_sha256 = forms.query_sha256
where forms.query_sha256 is null
