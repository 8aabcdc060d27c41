{# A table of many rows, made range by range of one column: the same SELECT over each range in a transaction of its
   own, so that memory is bounded and a build that was killed goes on after the last range that it committed.
   `bucket_by`: the column by which every window and grouping of the SELECT is partitioned. `bucket_of`: the relation
   whose rows are shared out evenly, `bucket_rows` a range; few rows are one range. #}
{% materialization bucketed, adapter='duckdb' %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set by = config.get('bucket_by') -%}
    {%- set building = this.incorporate(path={'identifier': this.identifier ~ '__building'}, type='table') -%}
    {%- set progress = this.incorporate(path={'identifier': this.identifier ~ '__buckets'}, type='table') -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}{{ run_hooks(pre_hooks, inside_transaction=True) }}{{ adapter.commit() }}
    {%- set bounds = bucket_bounds(ref(config.get('bucket_of')), by, config.get('bucket_rows', 32000)) -%}
    {%- set done = buckets_done(building, progress, bucket_fingerprint(sql, bounds)) -%}
    {% for _ in bounds %}{% if loop.index > done %}
        {%- set part = bucket_part(sql, by, bounds, loop.index0) -%}
        {% call statement('main') %}
            {{ get_create_table_as_sql(False, building, part) if loop.first else 'insert into ' ~ building ~ ' ' ~ part }}
        {% endcall %}
        {% do run_query('insert into ' ~ progress ~ ' values (' ~ loop.index ~ ')') %}
        {{ adapter.commit() }}
    {% endif %}{% endfor %}
    {#- One transaction: a kill leaves the ranges and the table of before, or the new table alone. -#}
    {% call statement('main') %}drop table {{ progress }}{% endcall %}
    {% if existing is not none %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% do run_query('alter table ' ~ building ~ ' rename to ' ~ adapter.quote(this.identifier)) %}
    {{ run_hooks(post_hooks, inside_transaction=True) }}{{ adapter.commit() }}{{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{# On another engine, which bounds its own memory: one statement. #}
{% materialization bucketed, default %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {{ run_hooks(pre_hooks) }}
    {% if existing is not none %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% call statement('main') %}{{ get_create_table_as_sql(False, target_relation, sql) }}{% endcall %}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{# The SELECT over one range: the first is open below, the last above, so that no row is left out. #}
{% macro bucket_part(sql, by, bounds, place) %}
    {%- set limits = [] -%}
    {% if place %}{% do limits.append(by ~ " >= '" ~ bounds[place] | replace("'", "''") ~ "'") %}{% endif %}
    {% if place + 1 < bounds | length %}
        {% do limits.append(by ~ " < '" ~ bounds[place + 1] | replace("'", "''") ~ "'") %}
    {% endif %}
    {{ return('select * from (' ~ sql ~ ') as whole' ~ (' where ' ~ limits | join(' and ') if limits else '')) }}
{% endmacro %}

{# The lowest value of each range, in order. #}
{% macro bucket_bounds(relation, column, rows) %}
    {%- set count = run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}
    {%- set buckets = [(count + rows - 1) // rows, 1] | max -%}
    {% if buckets == 1 %}{{ return(['']) }}{% endif %}
    {%- set found = run_query('select min(' ~ column ~ ') as lowest from (select ' ~ column ~ ', ntile(' ~ buckets ~ ') over (order by ' ~ column ~ ') as bucket from ' ~ relation ~ ') as shared group by bucket order by lowest') -%}
    {{ return(found.columns[0].values() | list) }}
{% endmacro %}

{# What the rows are made of: the landed shards, the seeds, all SQL, the policy and profile, and the ranges. #}
{% macro bucket_fingerprint(sql, bounds) %}
    {%- set project = env_var('MATHPINPOINT_PROJECT', invocation_args_dict.get('project_dir') or '.') | replace("'", "''") -%}
    {%- set home = env_var('MATHPINPOINT_HOME', 'build') | replace("'", "''") -%}
    {%- set named = local_md5(sql ~ bounds | join(',') ~ env_var('MATHPINPOINT_POLICY', '') ~ env_var('MATHPINPOINT_PROFILE', '')) -%}
    {%- set query -%}
        select md5(string_agg(part, '|' order by part)) from (
            select concat_ws(' ', filename, size, last_modified) as part from read_blob('{{ home }}/landed/*/*.parquet')
            union all select filename || sha256(content) from read_blob('{{ project }}/seeds/*/*.csv')
            union all select filename || sha256(content) from read_blob('{{ project }}/m*/**/*.sql')
            union all select '{{ named }}'
        )
    {%- endset -%}
    {{ return(run_query(query).rows[0][0]) }}
{% endmacro %}

{# How many ranges a killed build of the same fingerprint left; `progress` is there afterwards. #}
{% macro buckets_done(building, progress, fingerprint) %}
    {%- set there = run_query("select comment from duckdb_tables() where schema_name = '" ~ progress.schema ~ "' and table_name = '" ~ progress.identifier ~ "'").rows -%}
    {% if there | length and there[0][0] == fingerprint %}
        {{ return(run_query('select count(*) from ' ~ progress).rows[0][0] | int) }}
    {% endif %}
    {% do run_query('drop table if exists ' ~ building) %}
    {% do run_query('drop table if exists ' ~ progress) %}
    {% do run_query('create table ' ~ progress ~ ' (bucket integer)') %}
    {% do run_query('comment on table ' ~ progress ~ " is '" ~ fingerprint ~ "'") %}
    {{ return(0) }}
{% endmacro %}
