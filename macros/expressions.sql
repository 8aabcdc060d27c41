{# One expression each; what DuckDB and Spark write differently is dispatched. #}

{# Hex md5 over a seed and the ids: a draw that every engine repeats. #}
{% macro seeded_order(seed, columns) -%}
    md5(concat_ws('|', {{ seed }}{% for column in columns %}, cast({{ column }} as {{ dbt.type_string() }}){% endfor %}))
{%- endmacro %}

{# Bucket 0 .. buckets - 1 of a text, by md5. #}
{% macro hash_bucket(expression, buckets) %}{{ return(adapter.dispatch('hash_bucket')(expression, buckets)) }}{% endmacro %}
{% macro default__hash_bucket(expression, buckets) %}cast(cast('0x' || substr(md5({{ expression }}), 1, 15) as bigint) % {{ buckets }} as bigint){% endmacro %}
{% macro spark__hash_bucket(expression, buckets) %}cast(cast(conv(substr(md5({{ expression }}), 1, 15), 16, 10) as bigint) % {{ buckets }} as bigint){% endmacro %}

{# 60 bits of a text's md5, to be added up without regard to order. #}
{% macro hash_number(expression) %}{{ return(adapter.dispatch('hash_number')(expression)) }}{% endmacro %}
{% macro default__hash_number(expression) %}cast('0x' || substr(md5({{ expression }}), 1, 15) as bigint){% endmacro %}
{% macro spark__hash_number(expression) %}cast(conv(substr(md5({{ expression }}), 1, 15), 16, 10) as bigint){% endmacro %}

{% macro sha256_hex(expression) %}{{ return(adapter.dispatch('sha256_hex')(expression)) }}{% endmacro %}
{% macro default__sha256_hex(expression) %}sha256({{ expression }}){% endmacro %}
{% macro spark__sha256_hex(expression) %}sha2({{ expression }}, 256){% endmacro %}

{% macro doc_id(canonical_sha256) %}'d_' || substr({{ canonical_sha256 }}, 1, 24){% endmacro %}

{# One row per element of a list. #}
{% macro explode(expression) %}{{ return(adapter.dispatch('explode')(expression)) }}{% endmacro %}
{% macro default__explode(expression) %}unnest({{ expression }}){% endmacro %}
{% macro spark__explode(expression) %}explode({{ expression }}){% endmacro %}

{# The integers first .. last, as a list. #}
{% macro int_range(first, last) %}{{ return(adapter.dispatch('int_range')(first, last)) }}{% endmacro %}
{% macro default__int_range(first, last) %}generate_series({{ first }}, {{ last }}){% endmacro %}
{% macro spark__int_range(first, last) %}sequence({{ first }}, {{ last }}){% endmacro %}

{# How many elements two lists of distinct elements share. #}
{% macro n_shared(left_list, right_list) %}{{ return(adapter.dispatch('n_shared')(left_list, right_list)) }}{% endmacro %}
{% macro default__n_shared(left_list, right_list) %}len(list_intersect({{ left_list }}, {{ right_list }})){% endmacro %}
{% macro spark__n_shared(left_list, right_list) %}cast(size(array_intersect({{ left_list }}, {{ right_list }})) as bigint){% endmacro %}

{% macro n_elements(expression) %}{{ return(adapter.dispatch('n_elements')(expression)) }}{% endmacro %}
{% macro default__n_elements(expression) %}len({{ expression }}){% endmacro %}
{% macro spark__n_elements(expression) %}cast(size({{ expression }}) as bigint){% endmacro %}

{# The texts of a list, with commas between. #}
{% macro comma_list(expression) %}{{ return(adapter.dispatch('comma_list')(expression)) }}{% endmacro %}
{% macro default__comma_list(expression) %}array_to_string({{ expression }}, ','){% endmacro %}
{% macro spark__comma_list(expression) %}array_join({{ expression }}, ','){% endmacro %}

{# Position of a text in another, from 1; 0 where it is not. #}
{% macro text_position(text, part) %}{{ return(adapter.dispatch('text_position')(text, part)) }}{% endmacro %}
{% macro default__text_position(text, part) %}strpos({{ text }}, {{ part }}){% endmacro %}
{% macro spark__text_position(text, part) %}instr({{ text }}, {{ part }}){% endmacro %}

{# A text with each run of white space as one space, trimmed. #}
{% macro folded(expression) %}{{ return(adapter.dispatch('folded')(expression)) }}{% endmacro %}
{% macro default__folded(expression) %}trim(regexp_replace({{ expression }}, '\s+', ' ', 'g')){% endmacro %}
{% macro spark__folded(expression) %}trim(regexp_replace({{ expression }}, r'\s+', ' ')){% endmacro %}

{# The formulas of a text with their delimiters, in order, as a list; an escaped dollar opens none. #}
{% macro formulas(expression) %}{{ return(adapter.dispatch('formulas')(expression)) }}{% endmacro %}
{% macro default__formulas(expression) %}regexp_extract_all(replace({{ expression }}, chr(92) || '$', ''), '{{ formula_pattern() }}'){% endmacro %}
{% macro spark__formulas(expression) %}regexp_extract_all(replace({{ expression }}, char(92) || '$', ''), r'{{ formula_pattern() }}', 0){% endmacro %}
{% macro formula_pattern() %}\$\$[^$]+\$\$|\$[^$]+\$|\\\(.*?\\\)|\\\[.*?\\\]{% endmacro %}
