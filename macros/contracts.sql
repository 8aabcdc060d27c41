{# Spark keeps no constraint on Parquet: the contract's names and types are checked, and data tests hold the rest. #}
{% macro spark__persist_constraints(relation, model) %}{% endmacro %}
