{# Reading what a model replied: nothing here may raise, whatever the text is. #}

{# A reply that is no JSON because its LaTeX was not escaped (\sqrt inside a string), with those backslashes doubled;
   else as it is. Only backslashes change, and no label field may hold one: the repair cannot change a label. #}
{% macro repaired_json(expression) -%}
    case
        when {{ is_json_object(expression) }} then {{ expression }}
        else {{ doubled_backslashes(expression) }}
    end
{%- endmacro %}

{# Escaped backslashes are set aside as a control character, which a JSON text cannot hold. #}
{% macro doubled_backslashes(expression) %}{{ return(adapter.dispatch('doubled_backslashes')(expression)) }}{% endmacro %}
{% macro default__doubled_backslashes(expression) %}replace(regexp_replace(replace({{ expression }}, chr(92) || chr(92), chr(1)), chr(92) || chr(92) || '([^"' || chr(92) || chr(92) || '/bfnrtu]|u[^0-9a-fA-F])', chr(92) || chr(92) || chr(92) || chr(92) || chr(92) || '1', 'g'), chr(1), chr(92) || chr(92)){% endmacro %}
{% macro spark__doubled_backslashes(expression) %}replace(regexp_replace(replace({{ expression }}, concat(char(92), char(92)), char(1)), concat(char(92), char(92), '([^"', char(92), char(92), '/bfnrtu]|u[^0-9a-fA-F])'), concat(char(92), char(92), char(92), char(92), '$1')), char(1), concat(char(92), char(92))){% endmacro %}

{% macro is_json_object(expression) %}{{ return(adapter.dispatch('is_json_object')(expression)) }}{% endmacro %}
{% macro default__is_json_object(expression) %}coalesce(json_valid({{ expression }}) and json_type(try_cast({{ expression }} as json)) = 'OBJECT', false){% endmacro %}
{% macro spark__is_json_object(expression) %}coalesce(startswith(schema_of_variant(try_parse_json('[' || {{ expression }} || ']')), 'ARRAY<OBJECT') and variant_get(try_parse_json('[' || {{ expression }} || ']'), '$[1]') is null, false){% endmacro %}

{# A field as text, null where it is absent or null. #}
{% macro json_text(expression, field) %}{{ return(adapter.dispatch('json_text')(expression, field)) }}{% endmacro %}
{% macro default__json_text(expression, field) %}json_extract_string({{ expression }}, '$.{{ field }}'){% endmacro %}
{% macro spark__json_text(expression, field) %}case when {{ json_kind(expression, field) }} in ('DOUBLE', 'FLOAT') or {{ json_kind(expression, field) }} like 'DECIMAL%' then get_json_object({{ expression }}, '$.{{ field }}') else try_variant_get(try_parse_json({{ expression }}), '$.{{ field }}', 'string') end{% endmacro %}

{# A field as it is written, quotes included: '2' for a number, '"2"' for a text. #}
{% macro json_raw(expression, field) %}{{ return(adapter.dispatch('json_raw')(expression, field)) }}{% endmacro %}
{% macro default__json_raw(expression, field) %}cast(json_extract({{ expression }}, '$.{{ field }}') as varchar){% endmacro %}
{% macro spark__json_raw(expression, field) %}case when {{ json_kind(expression, field) }} in ('DOUBLE', 'FLOAT') or {{ json_kind(expression, field) }} like 'DECIMAL%' then get_json_object({{ expression }}, '$.{{ field }}') else to_json(variant_get(try_parse_json({{ expression }}), '$.{{ field }}')) end{% endmacro %}

{# Spark: the type of a field. A number is taken as it is written, since a variant drops the zeros of 1.0. #}
{% macro json_kind(expression, field) %}schema_of_variant(variant_get(try_parse_json({{ expression }}), '$.{{ field }}')){% endmacro %}

{# A list field as a list of texts, null where it is no list. #}
{% macro json_list(expression, field) %}{{ return(adapter.dispatch('json_list')(expression, field)) }}{% endmacro %}
{% macro default__json_list(expression, field) %}try_cast(json_extract({{ expression }}, '$.{{ field }}') as varchar[]){% endmacro %}
{% macro spark__json_list(expression, field) %}try_variant_get(try_parse_json({{ expression }}), '$.{{ field }}', 'array<string>'){% endmacro %}

{# Why a reply cannot be read at all, null where it can: before any field of it is looked at.
   `content` is the reply's content, repaired. #}
{% macro reply_failure(content) -%}
    case
        when status <> 'ok' then status
        when refusal is not null then 'refusal'
        when finish_reason = 'length' then 'truncated'
        when left(coalesce(model_reported, model), length(model)) <> model then 'other_model'
        when not {{ is_json_object(content) }} then 'invalid_json'
    end
{%- endmacro %}
