"""What every row of a release must obey; each rule marks the rows that break it."""

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

RANKS = ("dense_rank", "bm25_rank", "ngram5_rank", "fused_rank")
SCORES = ("rrf_score", "rm8b_score", "dense_score", "reranker_score", "confidence")
# The contract of a judgement (prompts/judge_prompt.md): what goes with each label.
VALIDITY = {
    2: ("correct",),
    1: ("correct", "minor_error"),
    0: ("major_error", "uncertain", "not_applicable"),
}
UNEVALUABLE = ("missing_context", "figure_dependent", "degenerate_text")
CODES = {
    2: ("full_solution", "equivalent_solution", "correct_short_answer"),
    1: ("correct_partial_method", "correct_partial_subquestion", "minor_math_error"),
    0: (
        "major_math_error", "minor_math_error", "wrong_problem", "condition_mismatch",
        "target_mismatch", "topic_only", "question_restatement", "unresolved_attempt",
        "contaminated_or_spliced", "uncertain_math", *UNEVALUABLE,
    ),
}
TYPES: dict[Callable[[pa.DataType], bool], tuple[str, ...]] = {
    pa.types.is_string: ("did", "qid", "text", "source_did", "stage", "judge", "answer_validity"),
    pa.types.is_integer: (*RANKS, "label", "n_chars"),
    pa.types.is_floating: SCORES,
    pa.types.is_boolean: ("query_evaluable", "is_source_page"),
}
Rule = Callable[[pa.Table], pa.ChunkedArray]


def wrong_types(schema: pa.Schema) -> list[str]:
    """The columns whose type no rule can read, as 'name type'."""
    return [
        f"{name} {schema.field(name).type}"
        for fits, names in TYPES.items()
        for name in names
        if name in schema.names and not fits(schema.field(name).type)
    ]


def _rank_is_below_1(name: str) -> Rule:
    return lambda rows: pc.less(rows[name], 1)


def _is_not_finite(name: str) -> Rule:
    return lambda rows: pc.invert(pc.is_finite(rows[name]))


def _is_null(name: str) -> Rule:
    return lambda rows: pc.is_null(rows[name])


def _not_among(name: str, values: tuple) -> Rule:
    return lambda rows: pc.invert(pc.is_in(rows[name], pa.array(values, rows[name].type)))


def _label_by_llm(rows: pa.Table, label: int) -> pa.ChunkedArray:
    return pc.and_(pc.equal(rows["judge"], "llm"), pc.equal(rows["label"], label))


def _wrong_validity(label: int) -> Rule:
    unfit = _not_among("answer_validity", VALIDITY[label])
    return lambda rows: pc.and_(_label_by_llm(rows, label), unfit(rows))


def codes_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """reason_codes as one text per row, ',' between codes, from a list or from JSON text."""
    if pa.types.is_list(column.type):
        return pc.binary_join(column, ",")
    return pc.replace_substring_regex(column, r'[\[\]"\s]', "")


def _pattern(codes: tuple[str, ...]) -> str:
    one = "|".join(codes)
    return f"^({one})(,({one}))*$"


def _wrong_codes(label: int) -> Rule:
    pattern = _pattern(CODES[label])

    def rule(rows: pa.Table) -> pa.ChunkedArray:
        fits = pc.match_substring_regex(codes_of(rows["reason_codes"]), pattern)
        return pc.and_(_label_by_llm(rows, label), pc.invert(pc.fill_null(fits, False)))

    return rule


def _wrong_codes_unevaluable(rows: pa.Table) -> pa.ChunkedArray:
    fits = pc.match_substring_regex(codes_of(rows["reason_codes"]), _pattern(UNEVALUABLE))
    is_llm = pc.and_not(pc.equal(rows["judge"], "llm"), rows["query_evaluable"])
    return pc.and_(is_llm, pc.invert(pc.fill_null(fits, False)))


def _label_and_evaluable(rows: pa.Table) -> pa.ChunkedArray:
    is_evaluable = pc.fill_null(rows["query_evaluable"], True)
    return pc.not_equal(pc.is_valid(rows["label"]), is_evaluable)


def _model_label_without_score(rows: pa.Table) -> pa.ChunkedArray:
    return pc.and_(pc.equal(rows["judge"], "rm8b"), pc.is_null(rows["rm8b_score"]))


def _llm_label_without_rubric(rows: pa.Table) -> pa.ChunkedArray:
    return pc.and_(pc.equal(rows["judge"], "llm"), pc.is_null(rows["rubric_sha256"]))


def _fused_rank_without_score(rows: pa.Table) -> pa.ChunkedArray:
    return pc.and_(pc.is_valid(rows["fused_rank"]), pc.is_null(rows["rrf_score"]))


def _wrong_length(rows: pa.Table) -> pa.ChunkedArray:
    return pc.not_equal(rows["n_chars"], pc.cast(pc.utf8_length(rows["text"]), pa.int64()))


ROW_RULES: dict[str, dict[str, Rule]] = {
    "corpus": {
        **{f"{name} is null": _is_null(name) for name in ("did", "text")},
        "n_chars is not the length of text": _wrong_length,
    },
    "queries": {f"{name} is null": _is_null(name) for name in ("qid", "text")},
    "judgments": {
        **{
            f"{name} is null": _is_null(name)
            for name in ("qid", "did", "stage", "is_source_page")
        },
        **{f"{name} is below 1": _rank_is_below_1(name) for name in RANKS},
        **{f"{name} is not a finite number": _is_not_finite(name) for name in SCORES},
        "judge is neither llm nor rm8b": _not_among("judge", ("llm", "rm8b")),
        "label is not 0, 1, 2 or null": _not_among("label", (0, 1, 2, None)),
        "label is there for an unevaluable query, or missing for another": _label_and_evaluable,
        "judge is rm8b without rm8b_score": _model_label_without_score,
        "judge is llm without rubric_sha256": _llm_label_without_rubric,
        "fused_rank without rrf_score": _fused_rank_without_score,
        "reason_codes do not fit an unevaluable query": _wrong_codes_unevaluable,
        **{f"answer_validity does not fit label {n}": _wrong_validity(n) for n in VALIDITY},
        **{f"reason_codes do not fit label {n}": _wrong_codes(n) for n in CODES},
    },
}
