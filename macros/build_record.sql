{# After each dbt run: was it whole (every seed and model built, nothing failed), and which policy files did it read?
   A release is written of a whole build only, and names these files. #}
{% macro build_record(results) %}
    {% if execute and target.type == 'duckdb' %}
        {% set ns = namespace(n_built=0, n_failed=0, n_nodes=0) %}
        {% for node in graph.nodes.values() if node.resource_type in ('seed', 'model') %}
            {% set ns.n_nodes = ns.n_nodes + 1 %}
        {% endfor %}
        {% for result in results %}
            {% if result.status | string in ('error', 'fail', 'skipped', 'runtime error') %}
                {% set ns.n_failed = ns.n_failed + 1 %}
            {% elif result.node.resource_type in ('seed', 'model') %}
                {% set ns.n_built = ns.n_built + 1 %}
            {% endif %}
        {% endfor %}
        {% set project = invocation_args_dict.get('project_dir') or '.' %}
        {% do run_query('create schema if not exists audit') %}
        {% do run_query('create or replace table audit.last_build as select ' ~ ns.n_nodes ~ ' as n_nodes, ' ~ ns.n_built ~ ' as n_built, ' ~ ns.n_failed ~ ' as n_failed') %}
        {% do run_query("create or replace table audit.policy_files as select parse_filename(filename) as file, sha256(content) as sha256 from read_blob('" ~ (project | replace("'", "''")) ~ "/seeds/policy/*.csv')") %}
    {% endif %}
{% endmacro %}
