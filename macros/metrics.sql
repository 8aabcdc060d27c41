{# Numbers whose sum must not depend on the order of addition: decimals of 12 places, added exactly. Twelve, so that
   the sums are doubles again without a second rounding. Spark would round a double's shortest text, not the double. #}
{% macro exact(expression) %}{{ return(adapter.dispatch('exact')(expression)) }}{% endmacro %}
{% macro default__exact(expression) %}cast({{ expression }} as decimal(38, 12)){% endmacro %}
{% macro spark__exact(expression) %}cast(cast(round(({{ expression }}) * 1e12D) as bigint) * cast('0.000000000001' as decimal(12, 12)) as decimal(38, 12)){% endmacro %}

{# The mean of an expression over the group, the same in any order of its rows. #}
{% macro exact_mean(expression) %}cast(sum({{ exact(expression) }}) as double) / count({{ expression }}){% endmacro %}

{# The discount of a rank: 1 / log2(rank + 1) (Järvelin and Kekäläinen, 2002). #}
{% macro discount(rank) %}{{ exact('1 / log2(' ~ rank ~ ' + 1)') }}{% endmacro %}

{# A score by which equal sums tie, in whatever order their terms were added: 12 places of it. #}
{% macro tied(expression) %}{{ exact(expression) }}{% endmacro %}
