"""The label of a (query, page) pair: what the truth says, or a disagreement with it."""

from dataclasses import dataclass
from typing import Any

from ..truth import Page, Problem
from .oracle import Asked, Oracle


@dataclass(frozen=True)
class Label:
    """A judgement's meaning; `score` is None where the query cannot be evaluated."""

    score: int | None
    validity: str
    reason_codes: tuple[str, ...]


_UNEVALUABLE = Label(None, "not_applicable", ("figure_dependent",))
_UNCERTAIN = Label(0, "uncertain", ("uncertain_math",))
_UNSOLVED_KINDS = {"question_only": "question_restatement", "degenerate": "degenerate_text"}


def _not_solved(code: str) -> Label:
    return Label(0, "not_applicable", (code,))


def _problems_of(oracle: Oracle, page: Page) -> list[Problem]:
    ids = [page.problem, *(row.problem for row in page.solves)]
    return [oracle.problems[name] for name in ids if name in oracle.problems]


def true_label(oracle: Oracle, asked: Asked, page: Page | None) -> Label:
    """Give the label that the truth gives to what is asked and a page (None: unknown page)."""
    if oracle.needs_figure(asked):
        return _UNEVALUABLE
    if page is None:
        return _UNCERTAIN
    if asked.problem is None:
        is_own = asked.page is not None and asked.page.page in (page.page, page.mirror_of)
        return Label(2, "correct", ("full_solution",)) if is_own else _not_solved("wrong_problem")
    name = asked.problem.problem
    for row in sorted(page.solves, key=lambda row: row.problem != name):
        if oracle.is_same(row.problem, name):
            return Label(row.score, row.validity, tuple(row.reason_codes))
    return _not_solved(_why_not(oracle, asked.problem, page))


def _why_not(oracle: Oracle, problem: Problem, page: Page) -> str:
    """Give the reason code of a page that the truth does not connect with the problem."""
    others = _problems_of(oracle, page)
    if any(oracle.is_same(other.problem, problem.problem) for other in others):
        return _UNSOLVED_KINDS.get(page.kind, "unresolved_attempt")
    family = [other for other in others if other.family == problem.family]
    if any(o.conditions == problem.conditions and o.target != problem.target for o in family):
        return "target_mismatch"
    if family:
        return "condition_mismatch"
    return "topic_only" if any(o.topic == problem.topic for o in others) else "wrong_problem"


def disagreeing_label(label: Label, draw: float) -> Label:
    """Give a neighbouring label; `draw`, from 0 to 1, chooses where there are two."""
    if label.score is None:
        return label
    if label.score == 1 and draw < 0.5:
        return Label(2, "correct", ("full_solution",))
    if label.score == 1:
        return Label(0, "uncertain", ("unresolved_attempt",))
    code = "minor_math_error" if draw < 0.5 else "correct_partial_method"
    return Label(1, "minor_error" if draw < 0.5 else "correct", (code,))


# The facts same_problem, conditions_match, target_match, answer_present, central_math_correct.
_FACTS = {
    "correct_partial_method": ("yes", "yes", "yes", "no", "yes"),
    "correct_partial_subquestion": ("yes", "yes", "yes", "no", "yes"),
    "major_math_error": ("yes", "yes", "yes", "yes", "no"),
    "wrong_problem": ("no", "no", "no", "no", "unclear"),
    "condition_mismatch": ("no", "no", "yes", "no", "unclear"),
    "target_mismatch": ("no", "yes", "no", "no", "unclear"),
    "topic_only": ("no", "no", "no", "no", "unclear"),
    "question_restatement": ("yes", "yes", "yes", "no", "unclear"),
    "unresolved_attempt": ("yes", "yes", "yes", "no", "unclear"),
}
_SOLVED = ("yes", "yes", "yes", "yes", "yes")
_UNCLEAR = ("unclear",) * 5
_NAMES = (
    "same_problem", "conditions_match", "target_match", "answer_present", "central_math_correct",
)  # fmt: skip


def judgement(label: Label, confidence: float) -> dict[str, Any]:
    """Give the fields of a judgement, the facts consistent with its label."""
    first = label.reason_codes[0]
    is_good = bool(label.score)
    facts = _FACTS.get(first, _SOLVED if is_good else _UNCLEAR)
    is_wrong = first in ("major_math_error", "minor_math_error")
    why = "the query cannot be evaluated" if label.score is None else f"{first} gives {label.score}"
    return {
        "query_evaluable": label.score is not None,
        **dict(zip(_NAMES, facts, strict=True)),
        "first_error": "The sample's truth notes an error here." if is_wrong else "",
        "score": label.score,
        "answer_validity": label.validity,
        "reason_codes": list(label.reason_codes),
        "confidence": confidence,
        "rationale": f"From the sample's truth: {why}.",
    }
