-- One row per page for which a query was written: the query and the share of it copied from the page.
with

rules as (
    select query_rules.*
    from {{ ref('query_rules') }} as query_rules
    inner join {{ ref('active_policy') }} as active_policy
        on query_rules.policy = active_policy.policy
),

queries as (
    select
        extractions.page_id as query_id,
        extractions.query_text,
        extractions.question_verbatim,
        extractions.is_from_page_question,
        extractions.edit_ops,
        texts.text as page_text,
        texts.is_multi_problem
    from {{ ref('extractions') }} as extractions
    inner join {{ ref('texts') }} as texts
        on extractions.page_id = texts.page_id
    where extractions.has_query
),

-- Every start of a run of the query that stands on the page.
starts as (
    select
        queries.query_id,
        queries.query_text,
        queries.page_text,
        {{ explode(int_range('1', 'greatest(length(queries.query_text) - rules.copied_run_chars + 1, 0)')) }} as start_char
    from queries
    cross join rules
),

copied_starts as (
    select
        starts.query_id,
        starts.start_char,
        lag(starts.start_char) over (
            partition by starts.query_id order by starts.start_char
        ) as previous_start
    from starts
    cross join rules
    where
        starts.start_char > 0
        and {{ text_position('starts.page_text', 'substr(starts.query_text, cast(starts.start_char as integer), cast(rules.copied_run_chars as integer))') }} > 0
),

-- A run covers its own characters; runs that overlap are counted once.
copied as (
    select
        copied_starts.query_id,
        sum(
            least(
                rules.copied_run_chars,
                copied_starts.start_char
                - coalesce(
                    copied_starts.previous_start,
                    copied_starts.start_char - rules.copied_run_chars
                )
            )
        ) as n_copied_chars
    from copied_starts
    cross join rules
    group by copied_starts.query_id
)

select
    queries.query_id,
    queries.query_text,
    {{ sha256_hex('queries.query_text') }} as query_sha256,
    queries.question_verbatim,
    queries.is_from_page_question,
    queries.edit_ops,
    queries.is_multi_problem,
    cast(coalesce(copied.n_copied_chars, 0) as double)
    / cast(length(queries.query_text) as double) as copied_share,
    queries.is_from_page_question
    and coalesce(copied.n_copied_chars, 0)
    < rules.min_copied_share * length(queries.query_text) as is_not_verbatim
from queries
cross join rules
left join copied
    on queries.query_id = copied.query_id
