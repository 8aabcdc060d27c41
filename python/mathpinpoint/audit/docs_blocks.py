"""The blocks of the documentation by name: each is a SQL statement, a verb, or a part of the reference."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mathpinpoint.audit.docs_reference import landed_tables, models_by_schema, policy_seeds, release_tables


@dataclass(frozen=True)
class Sql:
    """One SELECT statement over the warehouse; its order must be total."""

    statement: str


@dataclass(frozen=True)
class Cli:
    """A verb of the command line with its arguments, --home apart."""

    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Reference:
    """Markdown made from a home folder and the project's files."""

    render: Callable[[Path, Path], str]


BLOCKS: dict[str, Sql | Cli | Reference] = {
    "first_by_similarity": Sql(
        "select label, count(*) as n_queries\n"
        "  from judging.judgments inner join retrieval.ranks using (query_id, doc_id)\n"
        "  where dense_rank = 1 group by label order by label desc"
    ),
    "funnel_inputs": Sql(
        "select reason, n, left(example_id, 60) as example\n"
        "  from audit.funnel where unit = 'input' order by reason"
    ),
    "question_copies": Sql(
        "select count(distinct query_id) as n_queries, count(*) as n_documents\n"
        "  from audit.question_copies"
    ),
    "funnel_pages": Sql(
        "select step, reason, n from audit.funnel where unit = 'page' order by step, reason"
    ),
    "funnel_queries": Sql(
        "select step, reason, n from audit.funnel where unit = 'query' order by step, reason"
    ),
    "funnel_pairs": Sql(
        "select unit, step, reason, n from audit.funnel\n"
        "  where unit in ('pair', 'training') order by unit, step, reason"
    ),
    "label_mix": Sql(
        "select stage, judge, count(*) as n, count(*) filter (where label = 2) as label_2,\n"
        "  count(*) filter (where label = 1) as label_1, count(*) filter (where label = 0) as label_0,\n"
        "  count(*) filter (where label is null) as not_evaluable\n"
        "  from judging.judgments group by stage, judge order by stage, judge"
    ),
    "label_mix_by_rank": Sql(
        "select dense_rank, n_judgments, round(share_2, 3) as share_2, round(share_1, 3) as share_1,\n"
        "  round(share_0, 3) as share_0 from audit.label_mix_by_rank where dense_rank <= 20 order by dense_rank"
    ),
    "judge_agreement": Sql(
        "select stage, doc_length, llm_label, model_label, n_pairs from audit.judge_agreement order by all"
    ),
    "held_out_report": Sql(
        "select model_id, n_rows, metrics ->> 'n_held_out' as n_held_out,\n"
        "  round(cast(metrics ->> 'accuracy' as double), 3) as accuracy,\n"
        "  round(cast(metrics ->> 'majority_share' as double), 3) as majority_share,\n"
        "  round(cast(metrics ->> 'pearson' as double), 3) as pearson,\n"
        "  round(cast(metrics ->> 'within_query_r2' as double), 3) as within_query_r2\n"
        "  from landed.trained_models where role = 'relevance_model' order by model_id"
    ),
    "self_consistency": Sql(
        "select source_label, candidate_label, count(*) as n_pairs\n"
        "  from judging.repeated_judgments group by all order by all"
    ),
    "label_agreement": Sql(
        "select comparison, n_pairs, n_not_evaluable, round(agreement, 3) as agreement,\n"
        "  round(kappa, 3) as kappa, round(quadratic_kappa, 3) as quadratic_kappa\n"
        "  from audit.label_agreement where dimension = 'all' order by comparison"
    ),
    "label_agreement_by_stage": Sql(
        "select dimension, part, n_pairs, round(agreement, 3) as agreement,\n"
        "  round(quadratic_kappa, 3) as quadratic_kappa\n"
        "  from audit.label_agreement where comparison = 'llm_repeat' and dimension <> 'all' order by dimension, part"
    ),
    "label_changes": Sql(
        "select first_label, second_label, sum(n_pairs) as n_pairs\n"
        "  from audit.label_confusions where comparison = 'llm_repeat' group by all order by all"
    ),
    "model_agreement": Sql(
        "select part as first_dense_rank, n_pairs, round(agreement, 3) as agreement,\n"
        "  round(quadratic_kappa, 3) as quadratic_kappa from audit.label_agreement\n"
        "  where comparison = 'llm_model' and dimension = 'first_dense_rank' order by cast(part as int)"
    ),
    "label_conditions": Sql(
        "select left(prompt_sha256, 8) as prompt, model, model_reported, effort, truncation_chars as chars,\n"
        "  layout, label_round, n_labels, n_2, n_1, n_0\n"
        "  from audit.label_conditions order by label_round, truncation_chars"
    ),
    "reply_consistency": Sql(
        "select stage, label_round, n_replies, n_inconsistent from audit.reply_consistency order by all"
    ),
    "reply_outcomes": Sql(
        "select stage, outcome, count(*) as n_replies, count(*) filter (where is_repaired) as repaired,\n"
        "  count(*) filter (where not is_consistent) as inconsistent\n"
        "  from judging.replies group by stage, outcome order by stage, outcome"
    ),
    "copied_shares": Sql(
        "select is_from_page_question, count(*) as n_queries,\n"
        "  count(*) filter (where copied_share = 1) as wholly_copied,\n"
        "  count(*) filter (where n_changed_formulas > 0) as formula_changed,\n"
        "  count(*) filter (where not is_question_on_page) as question_not_found,\n"
        "  count(*) filter (where not is_edit_plausible) as implausible_edit,\n"
        "  count(*) filter (where is_not_verbatim) as not_verbatim\n"
        "  from queries.written group by all order by all"
    ),
    "leaks": Sql(
        "select eval_set, method, n_queries, n_alone, round(min(similarity), 3) as least\n"
        "  from audit.leakage inner join queries.leaks using (eval_set, method)\n"
        "  group by all order by eval_set, method"
    ),
    "semantic_checks": Sql("select * from audit.semantic_checks order by eval_set"),
    "leakage_fixture": Sql(
        "select method, n_copies_found || ' of ' || n_copies as copies, n_twins_found || ' of ' || n_twins as twins,\n"
        "  n_others_found || ' of ' || n_others as others, round(recall, 3) as recall,\n"
        "  round(precision_share, 3) as precision from audit.leakage_fixture order by recall, method"
    ),
    "extraction_outcomes": Sql(
        "select outcome, reason, extract_mode, count(*) as n_pages, sum(n_formulas) as n_formulas,\n"
        "  count(*) filter (where is_math_lossy) as lossy from corpus.texts group by all order by all"
    ),
    "removal_outcomes": Sql(
        "select removal_outcome, count(*) as n_pages, sum(n_removed_chars) as n_removed_chars,\n"
        "  count(*) filter (where residue_share > 0) as with_residue,\n"
        "  count(*) filter (where has_question_residue) as flagged\n"
        "  from corpus.page_documents group by removal_outcome order by removal_outcome"
    ),
    "duplicates": Sql(
        "select 'pages of equal canonical text' as what, coalesce(sum(n_pages - 1), 0) as n\n"
        "  from corpus.exact_documents\n"
        "  union all select 'pairs above the least Jaccard', count(*) from corpus.duplicate_pairs\n"
        "  union all select 'pairs whose mathematics conflicts', count(*)\n"
        "  from corpus.duplicate_verdicts where is_conflict\n"
        "  union all select 'documents deleted', count(*) from corpus.survivors\n"
        "  union all select 'pairs on the review list', count(*) from corpus.review_list"
    ),
    "duplicate_reviews": Sql(
        "select same_problem, lost, coalesce(is_safe, false) as is_safe, count(*) as n_pairs\n"
        "  from corpus.reviews group by all order by all"
    ),
    "conflicts": Sql(
        "select round(jaccard, 3) as jaccard, conflict from corpus.duplicate_verdicts\n"
        "  where is_conflict order by duplicate_verdicts.jaccard desc, doc_a, doc_b limit 5"
    ),
    "routes": Sql(
        "select route, count(distinct query_id) as n_queries, count(*) as n_hits, max(rank) as deepest\n"
        "  from retrieval.hits group by route order by route"
    ),
    "route_contribution": Sql(
        "select route, n_hits, n_solutions, n_solutions_alone, n_fused_solutions_lost\n"
        "  from audit.route_contribution order by route"
    ),
    "candidate_routes": Sql(
        "select dense_rank is not null as in_dense, bm25_rank is not null as in_bm25,\n"
        "  ngram5_rank is not null as in_ngram5, rule, count(*) as n_candidates\n"
        "  from retrieval.candidates group by all order by all"
    ),
    "routing": Sql(
        "select rule, stage, judge, n_pairs from audit.assignment_counts order by rule, judge"
    ),
    "rounds": Sql(
        "select label_round, judge, count(*) as n_judgments from judging.judgments\n"
        "  group by label_round, judge order by label_round, judge"
    ),
    "splits": Sql(
        "select split, count(*) as n_queries from evaluation.splits where release = ''\n"
        "  group by split order by split"
    ),
    "training_rows": Sql(
        "select positive_origin, count(*) as n_rows, max(length(positive)) as longest_positive,\n"
        "  max(length(anchor)) as longest_query from training.rows group by all order by all"
    ),
    "status": Cli(("status",)),
    "release_tables": Reference(release_tables),
    "models": Reference(models_by_schema),
    "landed_tables": Reference(landed_tables),
    "policy": Reference(policy_seeds),
}
