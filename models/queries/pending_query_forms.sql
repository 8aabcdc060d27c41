-- One row per query text without its forms: the work list of landed.query_forms.
with

texts as (
    select
        query_sha256,
        query_text,
        row_number() over (partition by query_sha256 order by query_id) as occurrence
    from {{ ref('written') }}
)

select
    texts.query_sha256,
    texts.query_text
from texts
left join {{ ref('forms') }} as forms
    on texts.query_sha256 = forms.query_sha256
where texts.occurrence = 1 and forms.query_sha256 is null
