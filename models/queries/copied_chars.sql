-- One row per page for which a query was written: how many of the query's characters are copied from the page.
with

rules as (
    select query_rules.*
    from {{ ref('query_rules') }} as query_rules
    inner join {{ ref('active_policy') }} as active_policy
        on query_rules.policy = active_policy.policy
),

-- A query shorter than a run is one run as a whole.
queries as (
    select
        extractions.page_id as query_id,
        extractions.query_text,
        texts.text as page_text,
        least(rules.copied_run_chars, length(extractions.query_text)) as run_chars
    from {{ ref('extractions') }} as extractions
    cross join rules
    inner join {{ ref('texts') }} as texts
        on extractions.page_id = texts.page_id
    where extractions.has_query
),

-- Every start of a run of the query.
starts as (
    select
        query_id,
        query_text,
        page_text,
        run_chars,
        {{ explode(int_range('1', 'length(query_text) - run_chars + 1')) }} as start_char
    from queries
),

copied_starts as (
    select
        query_id,
        run_chars,
        start_char,
        lag(start_char) over (partition by query_id order by start_char) as previous_start
    from starts
    where
        {{ text_position('page_text', 'substr(query_text, cast(start_char as integer), cast(run_chars as integer))') }} > 0
),

-- A run covers its own characters; runs that overlap are counted once.
copied as (
    select
        query_id,
        sum(least(
            run_chars, start_char - coalesce(previous_start, start_char - run_chars)
        )) as n_copied_chars
    from copied_starts
    group by query_id
)

select
    queries.query_id,
    cast(coalesce(copied.n_copied_chars, 0) as bigint) as n_copied_chars
from queries
left join copied
    on queries.query_id = copied.query_id
