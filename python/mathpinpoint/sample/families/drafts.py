"""What a page of each kind says: its question, its blocks of text, and what they give for which
problem.
"""

from dataclasses import dataclass, field
from random import Random

from mathpinpoint.sample.families.base import say
from mathpinpoint.sample.families.cases import Case
from mathpinpoint.sample.families.voices import (
    argue,
    bank,
    pick,
)
from mathpinpoint.sample.truth import Solves


@dataclass(frozen=True)
class Block:
    """A part of a page's main text: an answer, a comment, or plain text."""

    role: str
    paragraphs: list[str]


@dataclass(frozen=True)
class Draft:
    """A page before it has a place, a site and an encoding.

    `copy_of` and `twin_of` number the drafts of its cluster, from 0.
    """

    kind: str
    title: str
    problem: str | None
    question: str | None
    query: str | None
    blocks: list[Block]
    solves: list[Solves] = field(default_factory=list)
    copy_of: int | None = None
    twin_of: int | None = None

    @property
    def body(self) -> str:
        """The main text without the question."""
        return "\n\n".join(text for block in self.blocks for text in block.paragraphs)


RIGHT = (2, "correct", ["full_solution"])
WRONG = (0, "major_error", ["major_math_error"])
PARTIAL = (1, "correct", ["correct_partial_method"])


def solves(case: Case, label: tuple[int, str, list[str]]) -> Solves:
    """A row of the truth."""
    return Solves(case.problem.problem, *label)


def ask(case: Case, rng: Random) -> tuple[str, str]:
    """The question as it stands on a page, and its smallest edit that stands alone."""
    values = {"n": rng.randint(1, 40), "m": rng.randint(1, 9), "title": case.family.texts.title}
    lead = ""
    if rng.random() < 0.6:
        lead = say(rng.choice(bank("leads")), values, rng)
    return lead + case.problem.statement, case.problem.statement


def _facts(case: Case, method: str) -> dict[str, object]:
    problem = case.problem
    return {
        "method": method, "topic": problem.topic, "conditions": problem.conditions,
        "target": problem.target,
        "answer": problem.answer, **case.values,
    }  # fmt: skip


def answer_block(
    case: Case, method: str, steps: tuple[str, ...], rng: Random, ends: bool = True
) -> Block:
    """An author's answer: opening, what is given, the argument, an ending."""
    facts = _facts(case, method)
    start = pick("openings", 1, facts, rng)
    if rng.random() < 0.45:
        start += pick("given", 1, facts, rng)
    paragraphs = [" ".join(start), *argue(steps, facts, rng)]
    if ends and rng.random() < 0.8:
        paragraphs.append(" ".join(pick("endings", 1, facts, rng)))
    return Block("answer", paragraphs)


def remarks(case: Case, count: int, rng: Random) -> Block:
    """General paragraphs that solve nothing."""
    return Block("text", pick("remarks", count, _facts(case, ""), rng))


def comments(case: Case, count: int, rng: Random) -> list[Block]:
    """Comments of readers, one a block."""
    return [Block("comment", [text]) for text in pick("comments", count, _facts(case, ""), rng)]


def answered(case: Case, kind: str, blocks: list[Block], rows: list[Solves], rng: Random) -> Draft:
    """A page that asks the problem of `case`."""
    question, query = ask(case, rng)
    title = case.family.texts.title
    return Draft(kind, title, case.problem.problem, question, query, blocks, rows)


def solution(case: Case, method: str, rng: Random, example: Case | None) -> Draft:
    """A right solution; with `example`, a long page: more answers, remarks, comments, a second
    problem solved.
    """
    blocks = [answer_block(case, method, case.steps[method], rng)]
    rows = [solves(case, RIGHT)]
    if example:
        for other, steps in case.steps.items():
            if other != method:
                blocks.append(answer_block(case, other, steps, rng))
        blocks.append(remarks(case, rng.randint(4, 7), rng))
        blocks.append(worked_example(example, rng))
        blocks += comments(case, rng.randint(3, 7), rng)
        rows.append(solves(example, RIGHT))
    elif rng.random() < 0.35:
        blocks += comments(case, rng.randint(1, 2), rng)
    return answered(case, "solution", blocks, rows, rng)


def worked_example(case: Case, rng: Random) -> Block:
    """Another problem, stated and solved."""
    method, steps = rng.choice(list(case.steps.items()))
    lead = rng.choice(
        ("A second example.", "For practice, a similar one.", "Another one, for comparison.")
    )
    block = answer_block(case, method, steps, rng)
    return Block("text", [f"{lead} {case.problem.statement}", *block.paragraphs])


def flawed(case: Case, kind: str, rng: Random) -> Draft:
    """A wrong solution, or a right answer by reasoning that does not hold."""
    if kind == "wrong_step":
        facts = _facts(case, rng.choice(list(case.steps))) | {"answer": f"${case.values['bad']}$"}
        steps = case.family.texts.wrong
    else:
        facts = _facts(
            case, rng.choice(("a quick look", "a shortcut", "common sense", "a rule of thumb"))
        )
        steps = case.family.texts.invalid
    paragraphs = [*pick("openings", 1, facts, rng), *argue(steps, facts, rng)]
    paragraphs += [*pick("asides", rng.randint(0, 2), facts, rng), *pick("endings", 1, facts, rng)]
    return answered(case, kind, [Block("answer", paragraphs)], [solves(case, WRONG)], rng)


def partial(case: Case, rng: Random) -> Draft:
    """A correct beginning that stops before the answer."""
    method, steps = rng.choice(list(case.steps.items()))
    stop = next(i for i, step in enumerate(steps) if i == (len(steps) + 1) // 2 or "<ans>" in step)
    block = answer_block(case, method, steps[:stop], rng, ends=False)
    leave = rng.choice(bank("leaving"))
    facts = _facts(case, method)
    block.paragraphs.append(" ".join([leave, *pick("asides", rng.randint(0, 2), facts, rng)]))
    return answered(case, "partial", [block], [solves(case, PARTIAL)], rng)


def question_only(case: Case, rng: Random) -> Draft:
    """The question, and readers who do not answer it."""
    row = Solves(case.problem.problem, 0, "not_applicable", ["question_restatement"])
    blocks = [Block("comment", [text]) for text in rng.sample(bank("chat"), rng.randint(1, 3))]
    if rng.random() < 0.5:
        blocks += comments(case, 1, rng)
    return answered(case, "question_only", blocks, [row], rng)


def neighbour(case: Case, beside: Case, kind: str, rng: Random) -> Draft:
    """A page that solves another target, or under another condition: right for its own problem."""
    code = "target_mismatch" if kind == "other_target" else "condition_mismatch"
    method, steps = next(iter(beside.steps.items()))
    blocks = [answer_block(beside, method, steps, rng)]
    blocks[0].paragraphs.extend(pick("asides", rng.randint(1, 3), _facts(beside, method), rng))
    rows = [
        solves(beside, RIGHT),
        Solves(case.problem.problem, 0, "not_applicable", [code]),
    ]
    return answered(beside, kind, blocks, rows, rng)


def injection(case: Case, rng: Random) -> Draft:
    """A page that tells a judge which label to give, beside a wrong solution or none."""
    order = rng.choice(bank("orders"))
    if rng.random() < 0.5:
        draft = flawed(case, "wrong_step", rng)
        blocks, rows = [*draft.blocks, Block("comment", [order])], draft.solves
    else:
        text = (
            "The solution is well known and stands in any textbook; there is no need to repeat it."
        )
        asides = pick("asides", 3, _facts(case, ""), rng)
        blocks = [Block("answer", [text, " ".join(asides), order])]
        rows = [Solves(case.problem.problem, 0, "not_applicable", ["unresolved_attempt"])]
    return answered(case, "injection", blocks, rows, rng)


def degenerate(case: Case, rng: Random) -> Draft:
    """A page whose text repeats itself."""
    facts = _facts(case, rng.choice(list(case.steps)))
    line = (
        say(rng.choice(bank("openings")), facts, rng)
        + " "
        + say(case.family.texts.wrong[0], facts, rng)
    )
    row = Solves(case.problem.problem, 0, "not_applicable", ["degenerate_text"])
    blocks = [Block("answer", [" ".join([line] * rng.randint(4, 6))] * rng.randint(3, 5))]
    return answered(case, "degenerate", blocks, [row], rng)
