-- One row per (query_id, route): a search that the policy wants, with the fingerprint of all that it depends on.
with

wanted as (
    select
        routes.*,
        active_policy.encoder,
        corpus_fingerprint.fingerprint as corpus_fingerprint,
        coalesce(corpus_fingerprint.n_documents > routes.max_exact_documents, false) as is_approximate
    from {{ ref('corpus_fingerprint') }} as corpus_fingerprint
    cross join {{ ref('active_policy') }} as active_policy
    inner join {{ ref('routes') }} as routes
        on active_policy.policy = routes.policy
)

select
    wanted.route,
    queries.query_id,
    queries.query_text,
    queries.query_sha256,
    wanted.is_approximate,
    md5(concat_ws(
        '|',
        wanted.corpus_fingerprint,
        queries.query_sha256,
        wanted.route,
        versions.norm_version,
        case when wanted.route = 'dense' then wanted.encoder else '' end,
        cast(wanted.depth as {{ dbt.type_string() }}),
        cast(coalesce(wanted.k1, 0) as {{ dbt.type_string() }}),
        cast(coalesce(wanted.b, 0) as {{ dbt.type_string() }}),
        cast(coalesce(wanted.shingle_tokens, 0) as {{ dbt.type_string() }}),
        coalesce(wanted.tokenizer, ''),
        cast(wanted.fixed_point_bits as {{ dbt.type_string() }}),
        -- Of a graph, where there is one; without it null, which adds nothing.
        case
            when wanted.is_approximate
                then concat_ws(
                    '|',
                    cast(wanted.connectivity as {{ dbt.type_string() }}),
                    cast(wanted.expansion_add as {{ dbt.type_string() }}),
                    cast(wanted.expansion_search as {{ dbt.type_string() }}),
                    wanted.index_dtype
                )
        end
    )) as fingerprint
from {{ ref('queries') }} as queries
cross join {{ ref('versions') }} as versions
cross join wanted
