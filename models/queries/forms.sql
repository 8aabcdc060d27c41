-- One row per query text: its keys and shingles under the wanted normalization.
select
    forms.query_sha256,
    forms.query_key,
    forms.canonical_key,
    forms.n_tokens,
    forms.shingles
from {{ ref('stg_query_forms') }} as forms
inner join {{ ref('versions') }} as versions
    on forms.norm_version = versions.norm_version
