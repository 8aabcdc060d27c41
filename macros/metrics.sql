{# Numbers whose sum must not depend on the order of addition: decimals of 18 places, added exactly. #}
{% macro exact(expression) %}cast({{ expression }} as decimal(38, 18)){% endmacro %}

{# The mean of an expression over the group, the same in any order of its rows. #}
{% macro exact_mean(expression) %}cast(sum({{ exact(expression) }}) as double) / count({{ expression }}){% endmacro %}

{# The discount of a rank: 1 / log2(rank + 1) (Järvelin and Kekäläinen, 2002). #}
{% macro discount(rank) %}{{ exact('1 / log2(' ~ rank ~ ' + 1)') }}{% endmacro %}

{# A score by which equal sums tie, in whatever order their terms were added: 12 places of it. #}
{% macro tied(expression) %}cast({{ expression }} as decimal(38, 12)){% endmacro %}
