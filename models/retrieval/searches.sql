-- One row per (query_id, route): a search that the policy wants, with the fingerprint of all that it depends on.
select
    routes.route,
    queries.query_id,
    queries.query_text,
    queries.query_sha256,
    md5(concat_ws(
        '|',
        corpus_fingerprint.fingerprint,
        queries.query_sha256,
        routes.route,
        versions.norm_version,
        case when routes.route = 'dense' then active_policy.encoder else '' end,
        cast(routes.depth as {{ dbt.type_string() }}),
        cast(coalesce(routes.k1, 0) as {{ dbt.type_string() }}),
        cast(coalesce(routes.b, 0) as {{ dbt.type_string() }}),
        cast(coalesce(routes.shingle_tokens, 0) as {{ dbt.type_string() }}),
        coalesce(routes.tokenizer, ''),
        cast(routes.fixed_point_bits as {{ dbt.type_string() }})
    )) as fingerprint
from {{ ref('queries') }} as queries
cross join {{ ref('corpus_fingerprint') }} as corpus_fingerprint
cross join {{ ref('versions') }} as versions
cross join {{ ref('active_policy') }} as active_policy
inner join {{ ref('routes') }} as routes
    on active_policy.policy = routes.policy
