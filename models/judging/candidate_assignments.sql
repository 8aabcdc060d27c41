-- One row per (query_id, doc_id, judge): a candidate and who judges it under which rule, gaps apart.
with

direct as (
    select
        matches.query_id,
        matches.doc_id,
        matches.judge,
        matches.rule,
        matches.stage,
        matches.label_round,
        matches.ask,
        matches.max_chars
    from {{ ref('rule_matches') }} as matches
    left join {{ ref('reranker_ranks') }} as reranked
        on matches.query_id = reranked.query_id and matches.doc_id = reranked.doc_id
    where
        matches.unless_judge is null
        and (
            matches.max_reranker_rank is null
            or reranked.reranker_rank <= matches.max_reranker_rank
        )
),

-- A rule with unless_judge takes what no other rule gave to that judge.
remaining as (
    select
        matches.query_id,
        matches.doc_id,
        matches.judge,
        matches.rule,
        matches.stage,
        matches.label_round,
        matches.ask,
        matches.max_chars
    from {{ ref('rule_matches') }} as matches
    left join direct
        on
            matches.query_id = direct.query_id
            and matches.doc_id = direct.doc_id
            and matches.unless_judge = direct.judge
    where matches.unless_judge is not null and direct.query_id is null
)

select * from direct
union all
select * from remaining
