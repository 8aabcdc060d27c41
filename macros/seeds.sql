{# Spark: a seed as literals, an empty cell as null. The adapter's own way writes 'None' there, and breaks at a quote. #}
{% macro spark__load_csv_rows(model, agate_table) %}
    {% set types = model['config']['column_types'] %}
    {% set statements = [] %}
    {% for chunk in agate_table.rows | batch(get_batch_size()) %}
        {% set statement %}
            insert into {{ this }} values
            {% for row in chunk %}
                ({% for name in agate_table.column_names %}cast({{ spark_literal(row[name]) }} as {{ types[name] }}){{ '' if loop.last else ', ' }}{% endfor %}){{ '' if loop.last else ',' }}
            {% endfor %}
        {% endset %}
        {% do adapter.add_query(statement, abridge_sql_log=True) %}
        {% do statements.append(statement) %}
    {% endfor %}
    {{ return(statements | first) }}
{% endmacro %}

{% macro spark_literal(value) -%}
    {{ return('null' if value is none else "'" ~ value | string | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") }}
{%- endmacro %}
