-- One row: the policy and the profile that this build follows.
{% set policy = env_var('MATHPINPOINT_POLICY', '') %}
{% set profile = env_var('MATHPINPOINT_PROFILE', '') %}
with

active as (
    select
        {{ "'" ~ policy ~ "'" if policy else 'policy' }} as policy,
        {{ "'" ~ profile ~ "'" if profile else 'profile' }} as profile
    from {{ ref('active') }}
)

select
    active.policy,
    policies.base_policy,
    active.profile,
    profiles.encoder,
    profiles.reranker,
    profiles.tokenizer,
    profiles.relevance_base,
    profiles.long_tokens,
    profiles.is_sample
from active
inner join {{ ref('policies') }} as policies
    on active.policy = policies.policy
inner join {{ ref('profiles') }} as profiles
    on active.profile = profiles.profile
