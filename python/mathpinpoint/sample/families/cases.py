"""Problems of a web: a family with numbers, asked as it is or with another target or condition."""

import re
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from mathpinpoint.sample.families import FAMILIES
from mathpinpoint.sample.families.base import Asked, Family, Params, Values, say
from mathpinpoint.sample.truth import Problem

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Case:
    """A problem with its numbers: `role` is asked, other (target) or changed (condition)."""

    family: Family
    params: Params
    role: str
    problem: Problem
    values: Values
    voice: str  # name of the random stream that chose the wording

    @property
    def steps(self) -> dict[str, tuple[str, ...]]:
        """The right solutions as templates, by method."""
        texts = self.family.texts
        if self.role == "asked":
            return texts.methods
        return {
            "a direct computation": texts.other_steps
            if self.role == "other"
            else texts.changed_steps
        }


def _asked(family: Family, role: str) -> Asked:
    return getattr(family.texts, role)


def make_case(seed: int, family: Family, params: Params, role: str, voice: str) -> Case:
    """The problem of these numbers, worded by the stream `voice`."""
    values = {**params, **family.values(**params)}
    asked, rng = _asked(family, role), Random(f"{seed}|wording|{voice}")
    key = f"{seed}|{family.name}|{role}|{sorted(params.items())}"
    problem = Problem(
        problem="x_" + sha256(key.encode()).hexdigest()[:12],
        family=family.name,
        topic=family.texts.topic,
        statement=say(rng.choice(asked.statements), values, rng),
        conditions=say(asked.conditions, values, rng),
        target=say(asked.target, values, rng),
        answer=say(asked.answer, values, rng),
    )
    return Case(family, params, role, problem, values, voice)


def beside(seed: int, case: Case, role: str) -> Case:
    """The neighbouring problem of a case: the same numbers, another target or condition."""
    return make_case(seed, case.family, case.params, role, f"{case.voice}|{role}")


class Drawer:
    """Draws the problems of a web, none of them twice."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._taken: set[str] = set()

    def _is_new(self, case: Case) -> bool:
        if case.problem.statement in self._taken:
            return False
        key = f"{case.family.name}|{sorted(case.params.items())}"
        if key in self._taken:
            return False
        self._taken.update((key, case.problem.statement))
        return True

    def draw(self, index: int, label: str) -> Case:
        """A new problem; the families take turns, and one that is used up gives way."""
        rng = Random(f"{self._seed}|draw|{label}|{index}")
        names = list(FAMILIES)
        first = index % len(names)
        for name in names[first:] + names[:first]:
            for attempt in range(60):
                params = FAMILIES[name].draw(rng)
                voice = f"{label}|{index}|{name}|{attempt}"
                case = make_case(self._seed, FAMILIES[name], params, "asked", voice)
                if self._is_new(case):
                    return case
        raise ValueError(f"No new problem is left after {index} problems. Ask for fewer pages.")

    def twin(self, case: Case, rng: Random) -> Case | None:
        """A problem in the same words whose statement differs in numbers, in a single one if
        possible.
        """
        found = None
        for _ in range(24):
            name = rng.choice(list(case.params))
            low, high = case.family.ranges[name]
            moved = case.params[name] + rng.choice((-3, -2, -1, 1, 2, 3))
            params = {**case.params, name: moved}
            if not low <= moved <= high or not case.family.valid(**params):
                continue
            other = make_case(self._seed, case.family, params, "asked", case.voice)
            changed = numbers_changed(case.problem.statement, other.problem.statement)
            if changed and other.problem.answer != case.problem.answer:
                found = other
                if len(changed) == 1:
                    break
        return found if found and self._is_new(found) else None


def numbers_changed(one: str, two: str) -> list[tuple[str, str]] | None:
    """The numbers in which two texts differ, in order; None if they differ in anything else."""
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", two):
        return None
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(two), strict=True)
    return [(before, after) for before, after in pairs if before != after]
