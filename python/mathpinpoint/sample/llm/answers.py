"""The answer to each of the project's prompts, as facts that fill the request's own schema."""

import re
from collections.abc import Callable
from typing import Any

from ..truth import Page
from .align import edit_question, find_passage
from .draws import draw
from .fences import Shown
from .fill import fill
from .labels import disagreeing_label, judgement, true_label
from .oracle import COMPOSED, Oracle
from .tokens import tokens

_SAYS = "From the sample's truth: "
_COMPOSING_SHARE = 1 / 3  # of the articles, those from which a query is composed
_SENTENCE = re.compile(r"[^.?!\n$]*(?:\$[^$\n]+\$[^.?!\n$]*)+[.?!]?")


class Answers:
    """Answers from the texts shown and the truth; a function of the request's body and the seed."""

    def __init__(self, oracle: Oracle, disagreement: float, seed: int) -> None:
        """Disagree with the truth's labels at the rate `disagreement`, drawn by `seed`."""
        self._oracle = oracle
        self._disagreement = disagreement
        self._seed = seed
        self._tasks: dict[str, Callable[[Shown, str], dict[str, Any]]] = {
            "query_extraction": self._query_extraction,
            "query_check": self._query_check,
            "judgement": self._judgement,
            "same_problem": self._same_problem,
            "duplicate_review": self._duplicate_review,
        }

    def answer(self, name: str, schema: dict[str, Any], shown: Shown, body_key: str) -> dict:
        """Answer the task `name`, every required field of `schema` filled.

        Raises ValueError for a task that is not known, or a text that is not shown.
        """
        if name not in self._tasks:
            raise ValueError(f"response_format {name!r} is none of {', '.join(self._tasks)}")
        facts = self._tasks[name](shown, body_key)
        return fill(schema, facts, f"{shown.system}\n{shown.around}")

    def _query_extraction(self, shown: Shown, body_key: str) -> dict[str, Any]:
        text = _needed(shown.page, "page")
        page = self._oracle.page_of(text)
        if page is None:
            return _declined("not_mathematics")
        if page.kind == "degenerate":
            return _declined("degenerate_text")
        question, query = self._question_of(page)
        if question is None:
            return self._composed(page, text)
        verbatim = find_passage(text, question)
        if verbatim is None:
            return _declined("incomplete")
        edit = edit_question(verbatim, query or question)
        return {
            "has_query": True,
            "question_verbatim": verbatim,
            "query": edit.query,
            "from_page_question": True,
            "edit_ops": edit.edit_ops,
            "decline_reason": None,
        }

    def _question_of(self, page: Page) -> tuple[str | None, str | None]:
        """Give the page's question and query; of a page of many problems, the first one."""
        if page.question is not None or page.kind != "six_problems":
            return page.question, page.query
        for row in page.solves:
            if row.problem in self._oracle.problems:
                statement = self._oracle.problems[row.problem].statement
                return statement, statement
        return None, None

    def _composed(self, page: Page, text: str) -> dict[str, Any]:
        """Compose a query from some articles; decline the others."""
        sentence = _SENTENCE.search(text)
        is_chosen = draw(self._seed, "compose", page.page) < _COMPOSING_SHARE
        if page.kind != "article" or not is_chosen or sentence is None:
            return _declined("no_definite_problem")
        return {
            "has_query": True,
            "question_verbatim": None,
            "query": COMPOSED + sentence.group().strip(),
            "from_page_question": False,
            "edit_ops": ["composed"],
            "decline_reason": None,
        }

    def _query_check(self, shown: Shown, body_key: str) -> dict[str, Any]:
        asked = self._oracle.asked_of(_needed(shown.query, "query"))
        missing = "figure" if self._oracle.needs_figure(asked) else "none"
        if draw(self._seed, "disagree", body_key) < self._disagreement:  # each judge's body is its own
            missing = "conditions" if missing == "none" else "none"
        return {
            "self_contained": missing == "none",
            "missing": missing,
            "rationale": f"{_SAYS}missing: {missing}.",
        }

    def _judgement(self, shown: Shown, body_key: str) -> dict[str, Any]:
        asked = self._oracle.asked_of(_needed(shown.query, "query"))
        page = self._oracle.page_of(_needed(shown.page, "page"))
        label = true_label(self._oracle, asked, page)
        if draw(self._seed, "disagree", body_key) >= self._disagreement:
            return judgement(label, 0.95)
        other = disagreeing_label(label, draw(self._seed, "neighbour", body_key))
        return judgement(other, 0.6)

    def _same_problem(self, shown: Shown, body_key: str) -> dict[str, Any]:
        texts = _needed(shown.query, "query"), _needed(shown.page, "page")
        one, other = (self._oracle.asked_of(text).problem for text in texts)
        if tokens(texts[0]) == tokens(texts[1]):
            same, difference = "yes", "none"
        elif one is None or other is None:
            same, difference = ("no", "topic") if one or other else ("unclear", "topic")
        elif self._oracle.is_same(one.problem, other.problem):
            same, difference = "yes", "none"
        elif one.family != other.family:
            same, difference = "no", "topic"
        else:
            is_target = one.conditions == other.conditions and one.target != other.target
            same, difference = "no", "target" if is_target else "number"
        why = f"{_SAYS}difference {difference}."
        return {
            "same_problem": same, "difference": difference, "confidence": 0.95, "rationale": why,
        }  # fmt: skip

    def _duplicate_review(self, shown: Shown, body_key: str) -> dict[str, Any]:
        deleted = self._oracle.page_of(_needed(shown.query, "query"))
        kept = self._oracle.page_of(_needed(shown.page, "page"))
        if deleted is None or kept is None:
            same, lost = "unclear", "other"
        elif {deleted.page, deleted.mirror_of} & {kept.page, kept.mirror_of} - {None}:
            same, lost = "yes", "none" if deleted.page == kept.page else deleted.adds or "none"
        elif deleted.problem == kept.problem and deleted.problem is not None:
            same, lost = "yes", "solution"
        else:
            is_twin = deleted.twin_of == kept.page or kept.twin_of == deleted.page
            same, lost = "no", "number" if is_twin else "problem"
        return {
            "same_problem": same,
            "lost": lost,
            "safe_to_delete": lost == "none",
            "rationale": f"{_SAYS}lost {lost}.",
        }


def _needed(text: str | None, what: str) -> str:
    if text is None:
        raise ValueError(f"the user message quotes no {what} between fences")
    return text


def _declined(reason: str) -> dict[str, Any]:
    return {
        "has_query": False,
        "question_verbatim": None,
        "query": None,
        "from_page_question": False,
        "edit_ops": ["none"],
        "decline_reason": reason,
    }
