{# A table of many rows, made range by range of one column: the same SELECT over each range in a transaction of its
   own, so that memory is bounded and a build that was killed goes on after the last range that it committed.
   `bucket_by`: the column, which every window and grouping of the SELECT is partitioned by. `bucket_of`: the relation
   whose rows are shared out evenly, BUCKET_ROWS a range. Where one range would do, and on other engines, one
   statement makes the table. #}
{% materialization bucketed, default %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}{{ run_hooks(pre_hooks, inside_transaction=True) }}
    {%- set bounds = bucket_bounds(ref(config.get('bucket_of')), config.get('bucket_by'), config.get('bucket_rows', 32000)) if target.type == 'duckdb' else [] -%}
    {% if bounds | length < 2 %}
        {% if existing is not none %}{% do adapter.drop_relation(existing) %}{% endif %}
        {% call statement('main') %}{{ get_create_table_as_sql(False, target_relation, sql) }}{% endcall %}
    {% else %}
        {%- set building = api.Relation.create(database=this.database, schema=this.schema, identifier=this.identifier ~ '__building', type='table') -%}
        {%- set progress = api.Relation.create(database=this.database, schema=this.schema, identifier=this.identifier ~ '__buckets', type='table') -%}
        {%- set done = buckets_done(building, progress, bucket_fingerprint(sql, bounds)) -%}
        {% for lowest in bounds %}{% if loop.index > done %}
            {%- set range = config.get('bucket_by') ~ " >= '" ~ lowest ~ "'" ~ ('' if loop.last else ' and ' ~ config.get('bucket_by') ~ " < '" ~ bounds[loop.index] ~ "'") -%}
            {%- set part = 'select * from (' ~ sql ~ ') as whole where ' ~ range -%}
            {% if loop.first %}
                {% call statement('main') %}{{ get_create_table_as_sql(False, building, part) }}{% endcall %}
            {% else %}
                {% call statement('main') %}insert into {{ building }} {{ part }}{% endcall %}
            {% endif %}
            {% do run_query('insert into ' ~ progress ~ ' values (' ~ loop.index ~ ')') %}
            {{ adapter.commit() }}
            {% do run_query('begin') if false %}
        {% endif %}{% endfor %}
        {% if existing is not none %}{% do adapter.drop_relation(existing) %}{% endif %}
        {% do run_query('alter table ' ~ building ~ ' rename to ' ~ this.identifier) %}
        {% do adapter.drop_relation(progress) %}
        {% call statement('main') %}select 1{% endcall %}
    {% endif %}
    {{ run_hooks(post_hooks, inside_transaction=True) }}{{ adapter.commit() }}{{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{# The lowest value of each range, in order. #}
{% macro bucket_bounds(relation, column, rows) %}
    {%- set count = run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}
    {%- set buckets = (count + rows - 1) // rows -%}
    {% if buckets < 2 %}{{ return([]) }}{% endif %}
    {%- set found = run_query('select min(' ~ column ~ ') as lowest from (select ' ~ column ~ ', ntile(' ~ buckets ~ ') over (order by ' ~ column ~ ') as bucket from ' ~ relation ~ ') as shared group by bucket order by lowest') -%}
    {{ return(found.columns[0].values() | list) }}
{% endmacro %}

{# What the rows are made of: landed shards (their names are hashes), the policy, all SQL, and the ranges. #}
{% macro bucket_fingerprint(sql, bounds) %}
    {%- set project = (invocation_args_dict.get('project_dir') or '.') | replace("'", "''") -%}
    {%- set home = env_var('MATHPINPOINT_HOME', 'build') | replace("'", "''") -%}
    {%- set named = local_md5(sql ~ bounds | join(',') ~ env_var('MATHPINPOINT_POLICY', '') ~ env_var('MATHPINPOINT_PROFILE', '')) -%}
    {%- set query -%}
        select md5(string_agg(part, '|' order by part)) from (
            select file as part from glob('{{ home }}/landed/*/*.parquet')
            union all select filename || sha256(content) from read_blob('{{ project }}/seeds/*/*.csv')
            union all select filename || sha256(content) from read_blob('{{ project }}/m*/**/*.sql')
            union all select '{{ named }}'
        )
    {%- endset -%}
    {{ return(run_query(query).rows[0][0]) }}
{% endmacro %}

{# How many ranges a killed build of the same fingerprint left; the tables to fill are there afterwards. #}
{% macro buckets_done(building, progress, fingerprint) %}
    {%- set there = run_query("select comment from duckdb_tables() where schema_name = '" ~ progress.schema ~ "' and table_name = '" ~ progress.identifier ~ "'").rows -%}
    {% if there | length and there[0][0] == fingerprint %}
        {{ return(run_query('select count(*) from ' ~ progress).rows[0][0] | int) }}
    {% endif %}
    {% do adapter.drop_relation(building) %}{% do adapter.drop_relation(progress) %}
    {% do run_query('create table ' ~ progress ~ ' (bucket integer)') %}
    {% do run_query('comment on table ' ~ progress ~ " is '" ~ fingerprint ~ "'") %}
    {{ return(0) }}
{% endmacro %}
