{# Who is kept of a graph of duplicates: in the order of the edges (earlier before later), a node is kept when no
   kept earlier node is its neighbour (the lexicographically first maximal independent set). Solved in rounds:
   a node is decided as soon as all its earlier neighbours are. Model SQL gives later_id, earlier_id. #}
{% materialization first_come_keepers, default %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}{{ run_hooks(pre_hooks, inside_transaction=True) }}
    {%- set edges = api.Relation.create(database=this.database, schema=this.schema, identifier=this.identifier ~ '__edges', type='table') -%}
    {%- set made = [edges] -%}
    {% do adapter.drop_relation(edges) %}
    {% call statement('edges') %}{{ get_create_table_as_sql(False, edges, sql) }}{% endcall %}
    {%- set ns = namespace(done=false, current=none) -%}
    {%- set ns.current = api.Relation.create(database=this.database, schema=this.schema, identifier=this.identifier ~ '__round_0', type='table') -%}
    {% do adapter.drop_relation(ns.current) %}{% do made.append(ns.current) %}
    {% call statement('init') %}{{ get_create_table_as_sql(False, ns.current, first_come_start(edges)) }}{% endcall %}
    {% for i in range(1, config.get('max_rounds', 1000)) %}{% if not ns.done %}
        {%- set following = api.Relation.create(database=this.database, schema=this.schema, identifier=this.identifier ~ '__round_' ~ i, type='table') -%}
        {% do adapter.drop_relation(following) %}{% do made.append(following) %}
        {% call statement('round') %}{{ get_create_table_as_sql(False, following, first_come_round(edges, ns.current)) }}{% endcall %}
        {% set undecided = run_query('select count(*) from ' ~ following ~ ' where is_kept is null').rows[0][0] | int %}
        {% set ns.current = following %}{% set ns.done = (undecided == 0) %}
    {% endif %}{% endfor %}
    {% if not ns.done %}{% do exceptions.raise_compiler_error('first_come_keepers: the graph has a cycle') %}{% endif %}
    {% if existing is not none %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% call statement('main') %}{{ get_create_table_as_sql(False, target_relation, 'select node, is_kept from ' ~ ns.current) }}{% endcall %}
    {% for relation in made %}{% do adapter.drop_relation(relation) %}{% endfor %}
    {{ run_hooks(post_hooks, inside_transaction=True) }}{{ adapter.commit() }}{{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{% macro first_come_start(edges) %}
    select nodes.node, case when later.later_id is null then true end as is_kept
    from (select later_id as node from {{ edges }} union select earlier_id as node from {{ edges }}) as nodes
    left join (select later_id from {{ edges }} group by later_id) as later on nodes.node = later.later_id
{% endmacro %}

{% macro first_come_round(edges, states) %}
    select
        states.node,
        case
            when states.is_kept is not null then states.is_kept
            when neighbours.n_kept > 0 then false
            when neighbours.n_open = 0 then true
        end as is_kept
    from {{ states }} as states
    left join (
        select
            edges.later_id,
            sum(case when earlier.is_kept then 1 else 0 end) as n_kept,
            sum(case when earlier.is_kept is null then 1 else 0 end) as n_open
        from {{ edges }} as edges
        inner join {{ states }} as earlier on edges.earlier_id = earlier.node
        group by edges.later_id
    ) as neighbours on states.node = neighbours.later_id
{% endmacro %}
