"""The SQL by which two policies are compared, each built in a file of its own: {a} and {b}."""

# A pair's state: its label, or why it has none.
STATES = """
select
    query_id, doc_id, stage, true as is_judged,
    case when is_query_evaluable then cast(label as varchar) else 'null' end as state
from {side}.judging.judgments
union all
select query_id, doc_id, cast(null as varchar) as stage, false as is_judged, reason as state
from {side}.judging.pair_exclusions
"""
# One full join of each pair of tables; only what differs is kept.
CHANGES = """
create temp table changes as
select
    coalesce(a.query_id, b.query_id) as query_id, coalesce(a.doc_id, b.doc_id) as doc_id,
    coalesce(b.stage, a.stage) as stage, coalesce(a.state, 'none') as before, coalesce(b.state, 'none') as after,
    case
        when b.is_judged and a.is_judged is not true then 'gained'
        when a.is_judged and b.is_judged is not true then 'lost'
        when a.is_judged and b.is_judged then 'flipped'
    end as kind
from ({states_a}) as a
full join ({states_b}) as b on a.query_id = b.query_id and a.doc_id = b.doc_id
where a.state is distinct from b.state or a.is_judged is distinct from b.is_judged
"""
ROW_CHANGES = """
create temp table row_changes as
select
    coalesce(a.query_id, b.query_id) as query_id, coalesce(b.positive_doc_id, a.positive_doc_id) as doc_id,
    cast(null as varchar) as stage, a.used as before, b.used as after,
    case
        when a.query_id is null then 'row gained' when b.query_id is null then 'row lost' else 'row changed'
    end as kind
from (select query_id, positive_doc_id, concat_ws(' ', {used}) as used from {a}.training.rows) as a
full join (select query_id, positive_doc_id, concat_ws(' ', {used}) as used from {b}.training.rows) as b
    on a.query_id = b.query_id
where a.used is distinct from b.used
"""
N_EXAMPLES = 10
KINDS = {"changes": ("gained", "lost", "flipped"), "row_changes": ("row gained", "row lost", "row changed")}
COMPARED = {
    "candidates": """
        select
            count(a.query_id) as n_a, count(b.query_id) as n_b,
            count(*) filter (where a.query_id is null) as added,
            count(*) filter (where b.query_id is null) as removed
        from {a}.retrieval.candidates as a
        full join {b}.retrieval.candidates as b on a.query_id = b.query_id and a.doc_id = b.doc_id
    """,
    "assignments": """
        select
            coalesce(a.rule, b.rule) as rule, coalesce(a.judge, b.judge) as judge,
            coalesce(a.n_pairs, 0) as n_a, coalesce(b.n_pairs, 0) as n_b
        from (select rule, judge, count(*) as n_pairs from {a}.judging.assignments group by all) as a
        full join (select rule, judge, count(*) as n_pairs from {b}.judging.assignments group by all) as b
            on a.rule = b.rule and a.judge = b.judge
        order by rule, judge
    """,
    "judgments": """
        select
            (select count(*) from {a}.judging.judgments) as n_a, (select count(*) from {b}.judging.judgments) as n_b,
            count(*) filter (where kind = 'gained') as gained, count(*) filter (where kind = 'lost') as lost,
            count(*) filter (where kind = 'flipped') as flipped
        from changes
    """,
    "stages": """
        select
            stage, count(*) filter (where kind = 'gained') as gained, count(*) filter (where kind = 'lost') as lost,
            count(*) filter (where kind = 'flipped') as flipped
        from changes where kind is not null group by stage order by stage
    """,
    "labels": """
        select before, after, count(*) as n_pairs from changes group by all
        union all
        select held.state as before, held.state as after, held.n - coalesce(gone.n, 0) as n_pairs
        from (select state, count(*) as n from ({states_a}) as states group by all) as held
        left join (select before, count(*) as n from changes group by all) as gone on held.state = gone.before
        where held.n > coalesce(gone.n, 0)
        order by all
    """,
    "training_rows": """
        select
            (select count(*) from {a}.training.rows) as n_a, (select count(*) from {b}.training.rows) as n_b,
            count(*) filter (where kind = 'row gained') as gained,
            count(*) filter (where kind = 'row lost') as lost,
            count(*) filter (where kind = 'row changed') as changed
        from row_changes
    """,
    "training_reasons": """
        select
            coalesce(a.reason, b.reason) as reason, coalesce(a.n_queries, 0) as n_a, coalesce(b.n_queries, 0) as n_b
        from (
            select coalesce(reason, 'kept') as reason, count(*) as n_queries from {a}.training.outcomes group by all
        ) as a
        full join (
            select coalesce(reason, 'kept') as reason, count(*) as n_queries from {b}.training.outcomes group by all
        ) as b on a.reason = b.reason
        order by reason
    """,
    "imported": """
        select
            a.release, count(*) as n_pairs,
            count(*) filter (where a.label is distinct from b.label) as flipped,
            (select count(*) from {a}.training.imported_rows as chosen where chosen.release = a.release) as n_rows_a,
            (select count(*) from {b}.training.imported_rows as chosen where chosen.release = a.release) as n_rows_b
        from {a}.judging.imported_labels as a
        inner join {b}.judging.imported_labels as b
            on a.release = b.release and a.query_id = b.query_id and a.doc_id = b.doc_id
        group by a.release order by a.release
    """,
    "costs": """
        select
            coalesce(a.landed_table, b.landed_table) as landed_table, coalesce(a.model, b.model) as model,
            coalesce(a.n_requests, 0) as n_requests_a, coalesce(b.n_requests, 0) as n_requests_b,
            coalesce(b.prompt_tokens, 0) - coalesce(a.prompt_tokens, 0) as prompt_tokens,
            coalesce(b.completion_tokens, 0) - coalesce(a.completion_tokens, 0) as completion_tokens,
            coalesce(b.cost_usd, 0) - coalesce(a.cost_usd, 0) as cost_usd
        from (
            select landed_table, model, sum(n_requests) as n_requests,
                sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
                sum(cost_usd) as cost_usd
            from {a}.audit.pending_costs group by all
        ) as a
        full join (
            select landed_table, model, sum(n_requests) as n_requests,
                sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
                sum(cost_usd) as cost_usd
            from {b}.audit.pending_costs group by all
        ) as b on a.landed_table = b.landed_table and a.model = b.model
        order by landed_table, model
    """,
    "examples": " union all ".join(
        f"""
        select * from (
            select kind, stage, query_id, doc_id, before, after from {table} where kind = '{kind}'
            order by md5(query_id || ' ' || doc_id), query_id, doc_id limit {N_EXAMPLES}
        )
        """
        for table, kinds in KINDS.items() for kind in kinds
    ) + " order by kind, query_id, doc_id",
}
