"""The truth of a sample web: what each problem asks, what each page gives.

`truth.jsonl` holds one JSON object a line, of two kinds (`record`): problems and pages. Texts are as a reader
sees them, mathematics as LaTeX between `$`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

KINDS = (
    "solution",  # right, by one of several methods
    "wrong_step",  # a central step is wrong
    "invalid_reasoning",  # the right answer, by reasoning that does not hold
    "changed_condition",  # a page that solves a problem with another condition
    "other_target",  # the same situation, another thing is asked
    "topic",  # the same topic only
    "question_only",  # the question, nobody answered
    "partial",  # a correct beginning, or one part of it
    "mirror",  # another page again, with other boilerplate
    "twin",  # another page with one number changed: another problem
    "six_problems",  # a page of many problems
    "article",  # asks nothing
    "needs_figure",  # cannot be understood without a missing figure
    "degenerate",  # text that repeats itself
    "injection",  # tells the judge which label to give
)


@dataclass(frozen=True)
class Problem:
    """A problem: two problems that differ in a number, a relation or a target are two."""

    problem: str  # id
    family: str  # problems of one family differ in conditions or target only
    topic: str
    statement: str
    conditions: str  # what is given
    target: str  # what is asked
    answer: str


@dataclass(frozen=True)
class Solves:
    """What a page gives for one problem, as a fair judge would label it."""

    problem: str
    score: int  # 2 solves it correctly, 1 partly or with a minor error, 0 does not
    validity: str  # correct, minor_error, major_error, uncertain, not_applicable
    reason_codes: list[str]


@dataclass(frozen=True)
class Page:
    """A page: `page` is its `source`, the file's path under the web's folder, or file#record."""

    page: str
    kind: str
    problem: str | None  # the problem that its question asks
    question: str | None  # as it stands on the page, greeting and numbering included
    query: str | None  # the question after the smallest edit that makes it stand alone
    body: str  # the rest of the main text: answers, solutions, an article's text
    solves: list[Solves] = field(default_factory=list)
    mirror_of: str | None = None
    twin_of: str | None = None
    adds: str | None = None  # what a mirror has beyond its page: solution, correction, condition
    site: str = ""  # forum, qa, blog, course, wiki, markdown
    encoding: str = (
        ""  # mathjax_script, mathjax_tex, katex, mathml, tex_image, sup_sub, unicode, markdown
    )


def write_truth(path: Path, records: Iterable[Problem | Page]) -> None:
    """Write problems and pages to `path`, in the order given."""
    with path.open("w", encoding="utf-8") as lines:
        for record in records:
            kind = "problem" if isinstance(record, Problem) else "page"
            lines.write(json.dumps({"record": kind, **asdict(record)}, ensure_ascii=False) + "\n")


def read_truth(path: Path) -> Iterator[Problem | Page]:
    """Read what `write_truth` wrote. Raises ValueError naming the line of a record that does not fit."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            values = json.loads(line)
            kind = values.pop("record")
            if kind == "problem":
                yield Problem(**values)
            else:
                values["solves"] = [Solves(**row) for row in values["solves"]]
                yield Page(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}:{number}: not a truth record ({error})") from error
