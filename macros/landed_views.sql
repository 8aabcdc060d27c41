{# A view landed.<table> for every landed table: on DuckDB after each build, so that any client can read the facts; on
   Spark before it, for the models to read. #}
{% macro landed_views(engine) %}
    {% if execute and target.type == engine %}
        {% set home = env_var('MATHPINPOINT_HOME', 'build') %}
        {% set folder = home if home.startswith('/') else env_var('PWD', '.') ~ '/' ~ home %}
        {% do run_query('create schema if not exists landed') %}
        {% for node in graph.sources.values() if node.source_name == 'landed' %}
            {% do run_query('create or replace view landed.' ~ node.name ~ ' as select * from ' ~ shards(folder ~ '/landed/' ~ node.name ~ '/*.parquet')) %}
        {% endfor %}
    {% endif %}
{% endmacro %}

{# The rows of the Parquet files of a pattern. #}
{% macro shards(pattern) %}{{ return(adapter.dispatch('shards')(pattern)) }}{% endmacro %}
{% macro default__shards(pattern) %}read_parquet('{{ pattern | replace("'", "''") }}'){% endmacro %}
{% macro spark__shards(pattern) %}parquet.`{{ pattern | replace('`', '``') }}`{% endmacro %}
