-- One row per text without a vector of the profile's encoder: the work list of landed.embeddings.
select
    texts.kind,
    texts.id,
    texts.text_sha256,
    texts.text
from {{ ref('texts_to_embed') }} as texts
cross join {{ ref('active_policy') }} as active_policy
left join {{ ref('stg_embeddings') }} as embeddings
    on
        texts.kind = embeddings.kind
        and texts.id = embeddings.id
        and texts.text_sha256 = embeddings.text_sha256
        and active_policy.encoder = embeddings.model
where embeddings.id is null
