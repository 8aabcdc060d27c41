"""The cluster of a problem: the pages of mixed kinds that a web holds about it."""

from dataclasses import dataclass, field, replace
from random import Random

from mathpinpoint.sample.families import drafts, others
from mathpinpoint.sample.families.cases import Case, Drawer, beside
from mathpinpoint.sample.families.drafts import Draft, solves
from mathpinpoint.sample.truth import Problem, Solves

LONG_SHARE = 0.6  # of right solutions; about 12 % of all pages


@dataclass
class Cluster:
    """Problems and drafts in the order in which the web holds them."""

    problems: list[Problem] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)

    def add(self, draft: Draft, *cases: Case) -> int:
        """Add a page and the problems that it brings; returns the page's number in the cluster."""
        self.problems.extend(case.problem for case in cases)
        self.drafts.append(draft)
        return len(self.drafts) - 1


def _stream(seed: int, index: int, name: str) -> Random:
    return Random(f"{seed}|cluster|{index}|{name}")


def _solutions(cluster: Cluster, case: Case, seed: int, index: int, drawer: Drawer) -> list[str]:
    rng = _stream(seed, index, "solutions")
    methods = rng.sample(list(case.steps), rng.randint(1, len(case.steps)))
    for number, method in enumerate(methods):
        example = None
        has_twin = index % 2 == 0 and number == 0
        if not has_twin and rng.random() < LONG_SHARE:
            example = drawer.draw(index + 7 * number, f"example|{index}")
        voice = _stream(seed, index, f"solution|{number}")
        draft = drafts.solution(case, method, voice, example)
        cluster.add(draft, *([example] if example else []))
    return methods


def _twin(cluster: Cluster, case: Case, method: str, seed: int, index: int, drawer: Drawer) -> None:
    """A twin of the first page: its numbers follow (then the page is right), or one slips (then it
    is wrong).
    """
    rng = _stream(seed, index, "twin")
    other = drawer.twin(case, rng)
    if other is None:
        return
    base = cluster.drafts[0]
    draft = None
    if rng.random() < 0.4:
        draft = others.slipped_twin(base, case, other, 0)
    if draft is None:
        voice = _stream(seed, index, "solution|0")
        draft = drafts.solution(other, method, voice, None)
        mismatch = Solves(case.problem.problem, 0, "not_applicable", ["condition_mismatch"])
        draft = replace(
            draft, kind="twin", twin_of=0, solves=[solves(other, drafts.RIGHT), mismatch]
        )
    cluster.add(draft, other)


def _rest(cluster: Cluster, case: Case, seed: int, index: int) -> None:
    rng = _stream(seed, index, "kinds")
    chances = {
        "wrong_step": 0.55, "invalid_reasoning": 0.35, "question_only": 0.4, "partial": 0.4,
        "other_target": 0.3, "changed_condition": 0.3, "mirror": 0.5,
    }  # fmt: skip
    for kind, chance in chances.items():
        if rng.random() >= chance and index % len(chances) != list(chances).index(kind):
            continue
        voice = _stream(seed, index, kind)
        if kind in ("wrong_step", "invalid_reasoning"):
            cluster.add(drafts.flawed(case, kind, voice))
        elif kind == "question_only":
            cluster.add(drafts.question_only(case, voice))
        elif kind == "partial":
            cluster.add(drafts.partial(case, voice))
        elif kind == "mirror":
            _mirrors(cluster, voice)
        else:
            near = beside(seed, case, kind.split("_")[0])
            cluster.add(drafts.neighbour(case, near, kind, voice), near)


def _mirrors(cluster: Cluster, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 2))):
        number = rng.randrange(len(cluster.drafts))
        draft = cluster.drafts[number]
        if draft.copy_of is None and draft.kind != "question_only":
            cluster.add(others.mirror(draft, number, rng))


def _specials(cluster: Cluster, case: Case, seed: int, index: int, drawer: Drawer) -> None:
    """Rare kinds, each once in some number of clusters."""
    rng = _stream(seed, index, "specials")
    if index % 4 == 0:
        cluster.add(others.topic(case, rng))
    if index % 6 == 1:
        cluster.add(others.article(case, rng))
    if index % 7 == 2:
        cases = [drawer.draw(index + 5 * number, f"sheet|{index}|{number}") for number in range(6)]
        cluster.add(others.six_problems(cases, rng), *cases)
    if index % 8 == 3:
        problem, draft = others.needs_figure(index // 8, rng)
        cluster.problems.append(problem)
        cluster.add(draft)
    if index % 9 == 4:
        cluster.add(drafts.degenerate(case, rng))
    if index % 8 == 5:
        cluster.add(drafts.injection(case, rng))


def make_cluster(seed: int, index: int, drawer: Drawer) -> Cluster:
    """All pages about problem number `index` of the web."""
    case = drawer.draw(index, "main")
    cluster = Cluster(problems=[case.problem])
    methods = _solutions(cluster, case, seed, index, drawer)
    if index % 2 == 0:
        _twin(cluster, case, methods[0], seed, index, drawer)
    _rest(cluster, case, seed, index)
    _specials(cluster, case, seed, index, drawer)
    return cluster
