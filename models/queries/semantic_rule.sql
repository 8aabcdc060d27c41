-- At most one row: the cosine bound of the profile's encoder, where the policy wants queries compared by meaning.
select
    semantic_rules.encoder,
    semantic_rules.min_cosine
from {{ ref('semantic_rules') }} as semantic_rules
inner join {{ ref('active_policy') }} as active_policy
    on
        semantic_rules.policy = active_policy.policy
        and semantic_rules.encoder = active_policy.encoder
inner join {{ ref('leakage_rules') }} as leakage_rules
    on
        semantic_rules.policy = leakage_rules.policy
        and leakage_rules.method = 'semantic'
