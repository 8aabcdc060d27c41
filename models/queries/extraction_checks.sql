-- One row per page for which a query was written: whether question, edits and formulas are what the reply says.
with

-- White space is no difference: pages wrap their lines.
queries as (
    select
        extractions.page_id as query_id,
        extractions.is_from_page_question,
        ',' || extractions.edit_ops || ',' as edits,
        {{ folded('extractions.query_text') }} as query_text,
        {{ folded("coalesce(extractions.question_verbatim, '')") }} as question_text,
        {{ folded('texts.text') }} as page_text
    from {{ ref('extractions') }} as extractions
    inner join {{ ref('texts') }} as texts
        on extractions.page_id = texts.page_id
    where extractions.has_query
),

formulas as (
    select
        query_id,
        question_text,
        {{ explode(formulas('query_text')) }} as formula
    from queries
),

-- A formula must stand in the question as often as in the query, character for character.
compared as (
    select
        query_id,
        count(*) as n,
        count(*) * length(formula)
        > length(question_text) - length(replace(question_text, formula, '')) as is_changed
    from formulas
    group by query_id, question_text, formula
),

counted as (
    select
        query_id,
        sum(n) as n_formulas,
        sum(case when is_changed then 1 else 0 end) as n_changed_formulas
    from compared
    group by query_id
)

select
    queries.query_id,
    case
        when queries.is_from_page_question
            then {{ text_position('queries.page_text', 'queries.question_text') }} > 0
    end as is_question_on_page,
    case
        when not queries.is_from_page_question or queries.edits like '%,composed,%'
            then not queries.is_from_page_question and queries.edits = ',composed,'
        when queries.edits like '%,none,%'
            then queries.edits = ',none,' and queries.query_text = queries.question_text
        when queries.edits = ',remove,' then length(queries.query_text) < length(queries.question_text)
        when queries.edits = ',insert,' then length(queries.query_text) > length(queries.question_text)
        else queries.query_text <> queries.question_text
    end as is_edit_plausible,
    cast(coalesce(counted.n_formulas, 0) as bigint) as n_formulas,
    cast(coalesce(counted.n_changed_formulas, 0) as bigint) as n_changed_formulas
from queries
left join counted
    on queries.query_id = counted.query_id
