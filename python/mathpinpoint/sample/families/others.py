"""Pages that are not about one problem: topics, articles, lists, missing figures; and copies of
pages.
"""

from dataclasses import replace
from hashlib import sha256
from random import Random

from mathpinpoint.sample.families.base import say
from mathpinpoint.sample.families.cases import Case, numbers_changed
from mathpinpoint.sample.families.drafts import Block, Draft, remarks
from mathpinpoint.sample.families.voices import bank, pick
from mathpinpoint.sample.truth import Problem, Solves


def topic(case: Case, rng: Random) -> Draft:
    """A page about the topic of a problem, which it neither asks nor solves."""
    rows = [Solves(case.problem.problem, 0, "not_applicable", ["topic_only"])]
    block = remarks(case, rng.randint(3, 5), rng)
    name = case.problem.topic
    return Draft("topic", f"About {name}", None, None, None, [block], rows)


def article(case: Case, rng: Random) -> Draft:
    """A page that asks nothing."""
    name = case.problem.topic
    rows = [Solves(case.problem.problem, 0, "not_applicable", ["topic_only"])]
    texts = pick("stories", rng.randint(4, 6), {"topic": name}, rng)
    return Draft("article", f"Notes on {name}", None, None, None, [Block("text", texts)], rows)


def needs_figure(number: int, rng: Random) -> tuple[Problem, Draft]:
    """A question about a figure that is not there; `number` makes it differ from all others."""
    values = {"n": number % 97 + 2, "m": number // 97 + 2}
    question = say(rng.choice(bank("figures")), values, rng)
    lines = [say(line, values, rng) for line in rng.sample(bank("where"), 3)]
    name = "x_" + sha256(f"figure|{number}|{question}".encode()).hexdigest()[:12]
    problem = Problem(
        name, "figure", "geometry", question, "a figure that is missing", "what the figure marks",
        "cannot be known without the figure",
    )  # fmt: skip
    rows = [Solves(name, 0, "uncertain", ["figure_dependent"])]
    blocks = [Block("answer", lines)]
    return problem, Draft(
        "needs_figure", "Question about a figure", name, question, question, blocks, rows
    )


def six_problems(cases: list[Case], rng: Random) -> Draft:
    """A sheet of problems: the first is its question; answers at the end, or none."""
    with_answers = rng.random() < 0.6
    label = (2, "correct", ["correct_short_answer"])
    unlabelled = (0, "not_applicable", ["question_restatement"])
    rows = [
        Solves(case.problem.problem, *(label if with_answers else unlabelled)) for case in cases
    ]
    texts = [f"{number}. {case.problem.statement}" for number, case in enumerate(cases, 1)]
    blocks = [Block("text", texts[1:])]
    if with_answers:
        answers = [f"{number}. {case.problem.answer}" for number, case in enumerate(cases, 1)]
        blocks.append(Block("text", ["Answers", *answers]))
    first = cases[0].problem
    return Draft(
        "six_problems", "Exercise sheet", first.problem, texts[0], first.statement, blocks, rows
    )


def mirror(draft: Draft, number: int, rng: Random) -> Draft:
    """The page `number` of the cluster again; a long one sometimes with a sentence at its end."""
    blocks = draft.blocks
    if len(draft.body.split()) > 130 and rng.random() < 0.5:
        blocks = [*blocks, Block("comment", [rng.choice(bank("tails"))])]
    return replace(draft, kind="mirror", blocks=blocks, copy_of=number, twin_of=None)


def slipped_twin(draft: Draft, old: Case, new: Case, number: int) -> Draft | None:
    """A twin by one number only: changed once in the question and once in the body.

    The body is wrong for the new problem, and has a slip for the old one.
    """
    changed = numbers_changed(old.problem.statement, new.problem.statement)
    if not changed or len(changed) != 1:
        return None
    before, after = changed[0]
    blocks, done = [], False
    for block in draft.blocks:
        texts = []
        for text in block.paragraphs:
            replaced = text if done else _replace_number(text, before, after)
            done = done or replaced != text
            texts.append(replaced)
        blocks.append(Block(block.role, texts))
    if not done or draft.question is None:
        return None
    rows = [
        Solves(new.problem.problem, 0, "major_error", ["major_math_error"]),
        Solves(old.problem.problem, 1, "minor_error", ["minor_math_error"]),
    ]
    question = draft.question.replace(old.problem.statement, new.problem.statement)
    return replace(
        draft, kind="twin", problem=new.problem.problem, question=question,
        query=new.problem.statement, blocks=blocks, solves=rows, twin_of=number,
    )  # fmt: skip


def _replace_number(text: str, before: str, after: str) -> str:
    """Replace the first `before` that stands alone as a number inside a formula."""
    pieces = text.split("$")
    for index in range(1, len(pieces), 2):
        tokens = pieces[index]
        start = tokens.find(before)
        while start >= 0:
            end = start + len(before)
            inside = tokens[start - 1 : start].isdigit() or tokens[end : end + 1].isdigit()
            if not inside:
                pieces[index] = tokens[:start] + after + tokens[end:]
                return "$".join(pieces)
            start = tokens.find(before, end)
    return text
