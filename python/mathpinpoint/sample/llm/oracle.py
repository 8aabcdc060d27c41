"""Knows the truth of a sample web: finds a shown text's page or problem in it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..truth import Page, Problem, read_truth
from .index import Index
from .tokens import Vocabulary, tokens

COMPOSED = "How does one show this: "  # begins each query that this server composes

_ABSENT = 0.25  # what a gram missing from the shown text costs, in shares of its weight
_FOUND = 0.4  # the share of a page's text, or of the shown one, that makes it that page
_SIMILAR = 0.3  # the least weighted Jaccard at which a query is a problem's
_NEAR = 0.97  # pages this close to the best are told apart by their numbers


@dataclass(frozen=True)
class Asked:
    """What a query is in the truth: a problem, or an article that a query was composed from."""

    problem: Problem | None
    page: Page | None  # whose question it is; the article, where the query was composed


def _numbers(words: list[str]) -> Counter[str]:
    return Counter(word for word in words if word.isdigit())


class Oracle:
    """The truth, indexed. Equal texts give equal answers; ties go to the earlier record."""

    def __init__(self, records: Iterable[Problem | Page]) -> None:
        """Index the problems and pages."""
        records = list(records)
        self.problems = {r.problem: r for r in records if isinstance(r, Problem)}
        self.pages = [r for r in records if isinstance(r, Page)]
        vocabulary = Vocabulary()
        self._bodies = Index([tokens(page.body) for page in self.pages], vocabulary)
        self._questions = Index([tokens(page.question or "") for page in self.pages], vocabulary)
        figures = {page.problem for page in self.pages if page.kind == "needs_figure"}
        stated = {page.problem for page in self.pages if page.kind != "needs_figure"}
        self._figures = figures - stated  # problems that no page states in full
        self._asked: list[Asked] = []
        texts: list[str] = []
        for page in self.pages:
            for text in dict.fromkeys(filter(None, (page.query, page.question))):
                self._asked.append(Asked(self.problems.get(page.problem or ""), page))
                texts.append(text)
        for problem in self.problems.values():
            self._asked.append(Asked(problem, None))
            texts.append(problem.statement)
        words = [tokens(text) for text in texts]
        self._asked_numbers = [_numbers(found) for found in words]
        self._queries = Index(words, vocabulary)
        self._alias = self._aliases(words)
        self.page_of = lru_cache(maxsize=20_000)(self._page_of)
        self.asked_of = lru_cache(maxsize=20_000)(self._asked_of)

    def _aliases(self, words: list[list[str]]) -> dict[str, str]:
        """Map each problem to the first one that is asked in the same words."""
        alias = {name: name for name in self.problems}
        first: dict[tuple[str, ...], str] = {}
        for asked, found in zip(self._asked, words, strict=True):
            is_vague = asked.page is not None and asked.page.kind == "needs_figure"
            if asked.problem is not None and not is_vague:
                name = asked.problem.problem
                old, new = alias[name], alias[first.setdefault(tuple(found), name)]
                if old != new:
                    alias = {key: new if value == old else value for key, value in alias.items()}
        return alias

    def is_same(self, one: str, other: str) -> bool:
        """Tell whether two problem ids name one problem: the same, or asked in the same words."""
        return one == other or self._alias.get(one, one) == self._alias.get(other, other)

    def needs_figure(self, asked: Asked) -> bool:
        """Tell whether what is asked is the question of a page that needs its figure."""
        if asked.page is not None:
            return asked.page.kind == "needs_figure"
        return asked.problem is not None and asked.problem.problem in self._figures

    def _page_of(self, text: str) -> Page | None:
        """Find the page that a shown text comes from, its question removed or not."""
        words = tokens(text)
        body, question = self._bodies.match(words), self._questions.match(words)
        if not self.pages or not words:
            return None
        is_asked = question.shared > _FOUND * self._questions.totals
        asked = np.where(is_asked, question.shared - _ABSENT * self._questions.totals, 0)
        score = body.shared - _ABSENT * (self._bodies.totals - body.shared) + asked
        best = int(np.argmax(score))
        if score[best] > 0:
            best = self._by_numbers(np.flatnonzero(score >= _NEAR * score[best]), score, words)
        shared = body.shared[best] + (question.shared[best] if is_asked[best] else 0)
        whole = self._bodies.totals[best]
        share_of_page = body.shared[best] / whole if whole else float(is_asked[best])
        if max(share_of_page, shared / body.shown if body.shown else 0) < _FOUND:
            return None
        return self.pages[best]

    def _by_numbers(self, near: np.ndarray, score: np.ndarray, words: list[str]) -> int:
        """Of pages about as good, choose the one whose numbers are all shown."""
        shown = _numbers(words)
        ranked = sorted(near.tolist(), key=lambda at: -score[at])[:12]

        def missing(at: int) -> int:
            page = self.pages[at]
            return sum((_numbers(tokens(page.body)) - shown).values())

        return min(ranked, key=lambda at: (missing(at), -score[at], at))

    def _asked_of(self, text: str) -> Asked:
        """Find what a query asks: the numbers must agree, the words be alike."""
        if text.startswith(COMPOSED):
            return Asked(None, self._article_of(text.removeprefix(COMPOSED)))
        words = tokens(text)
        match = self._queries.match(words)
        either = np.maximum(self._queries.totals + match.shown - match.shared, 1e-9)
        alike = match.shared / either
        if not len(alike) or alike.max() < _SIMILAR:
            return Asked(None, None)
        near = np.flatnonzero(alike >= max(_SIMILAR, 0.6 * alike.max()))
        shown = _numbers(words)
        ranked = sorted(near.tolist(), key=lambda at: (-alike[at], at))
        for agree in (Counter.__eq__, Counter.__le__, Counter.__ge__):
            for at in ranked:
                if agree(self._asked_numbers[at], shown):
                    return self._asked[at]
        return Asked(None, None)

    def _article_of(self, sentence: str) -> Page | None:
        """Find the article that a composed query was made from."""
        match = self._bodies.match(tokens(sentence))
        is_article = np.array([page.kind == "article" for page in self.pages], dtype=bool)
        shared = np.where(is_article, match.shared, 0)
        best = int(np.argmax(shared)) if len(shared) else 0
        return self.pages[best] if len(shared) and shared[best] > match.shown / 2 else None


def read_oracle(paths: Iterable[Path]) -> Oracle:
    """Index the truth files. Raises ValueError naming the line that is not a truth record."""
    return Oracle(record for path in paths for record in read_truth(path))
