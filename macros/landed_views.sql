{# After each build: a view landed.<table> for every landed table, so that any DuckDB client can read the facts. #}
{% macro landed_views() %}
    {% if execute and target.type == 'duckdb' %}
        {% set home = env_var('MATHPINPOINT_HOME', 'build') %}
        {% set folder = home if home.startswith('/') else env_var('PWD', '.') ~ '/' ~ home %}
        {% do run_query('create schema if not exists landed') %}
        {% for node in graph.sources.values() if node.source_name == 'landed' %}
            {% do run_query("create or replace view landed." ~ node.name ~ " as select * from read_parquet('" ~ (folder | replace("'", "''")) ~ "/landed/" ~ node.name ~ "/*.parquet')") %}
        {% endfor %}
    {% endif %}
{% endmacro %}
