{# On Spark, for `make spark` alone: the rows of every view as a table compared.<schema>__<table>, since the files of a
   table outlive the session and a view has none. #}
{% macro compared_views() %}
    {% if execute and target.type == 'spark' and var('compared', false) %}
        {% do run_query('create schema if not exists compared') %}
        {% for node in graph.nodes.values() if node.resource_type == 'model' and node.config.materialized == 'view' %}
            {% do run_query('create table compared.' ~ node.schema ~ '__' ~ node.alias ~ ' using parquet as select * from ' ~ node.schema ~ '.' ~ node.alias) %}
        {% endfor %}
    {% endif %}
{% endmacro %}
