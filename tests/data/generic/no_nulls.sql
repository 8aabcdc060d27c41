{# Rows that lack a value in any of the columns. #}
{% test no_nulls(model, columns) %}
select {{ columns | join(', ') }}
from {{ model }}
where {{ columns | join(' is null or ') }} is null
{% endtest %}
