-- One row per (is_fixture, text_id): a text to compare with evaluation items: a kept query, or a query of the fixture.
select
    false as is_fixture,
    deduplicated.query_id as text_id,
    forms.query_sha256,
    forms.query_key,
    forms.canonical_key,
    forms.n_tokens,
    forms.shingles,
    {{ n_elements('forms.shingles') }} as n_grams
from {{ ref('deduplicated') }} as deduplicated
inner join {{ ref('forms') }} as forms
    on deduplicated.query_sha256 = forms.query_sha256
where deduplicated.query_id = deduplicated.kept_query_id
union all
select
    true as is_fixture,
    pairs.pair_id as text_id,
    forms.query_sha256,
    forms.query_key,
    forms.canonical_key,
    forms.n_tokens,
    forms.shingles,
    {{ n_elements('forms.shingles') }} as n_grams
from {{ ref('leakage_pairs') }} as pairs
inner join {{ ref('forms') }} as forms
    on {{ sha256_hex('pairs.query_text') }} = forms.query_sha256
