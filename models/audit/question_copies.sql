-- One row per (query_id, doc_id): a found document of another page that still holds much of the query's question.
with

rules as (
    select removal_rules.*
    from {{ ref('removal_rules') }} as removal_rules
    inner join {{ ref('active_policy') }} as active_policy
        on removal_rules.policy = active_policy.policy
)

select
    hits.query_id,
    hits.doc_id,
    cast(hits.n_match as double) / {{ n_elements('forms.shingles') }} as held_share
from {{ ref('hits') }} as hits
cross join rules
inner join {{ ref('queries') }} as queries
    on hits.query_id = queries.query_id
inner join {{ ref('forms') }} as forms
    on queries.query_sha256 = forms.query_sha256
where
    hits.route = 'ngram5'
    and hits.doc_id <> queries.source_doc_id
    and hits.n_match > rules.max_residue_share * {{ n_elements('forms.shingles') }}
