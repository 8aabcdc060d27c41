"""Every family's answers, computed again another way, and its right arguments line by line."""

import re
from math import isclose
from random import Random

import pytest
from family_answers import SOLVERS, number

from mathpinpoint.sample.families import FAMILIES
from mathpinpoint.sample.families.base import say

CASES = 25
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")  # '(2)(3)' is no call


@pytest.mark.parametrize("name", FAMILIES)
def test_answers_are_right_and_wrong_ones_are_wrong(name: str) -> None:
    family, rng = FAMILIES[name], Random(name)
    for _ in range(CASES):
        params = family.draw(rng)
        values = {**params, **family.values(**params)}
        found = SOLVERS[name](values)
        for key, expected in zip(("ans", "other_ans", "changed_ans"), found, strict=True):
            if expected == expected:
                slack = 0.02 if (name, key) == ("telescoping_sum", "other_ans") else 1e-4
                assert isclose(number(values[key]), float(expected), rel_tol=slack, abs_tol=1e-4), (
                    key,
                    params,
                )
        assert not isclose(number(values["bad"]), float(found[0]), rel_tol=1e-9), params


@pytest.mark.parametrize("name", FAMILIES)
def test_right_arguments_hold_line_by_line(name: str) -> None:
    """Each chain of equalities between numbers in a right argument is true."""
    family, rng, checked = FAMILIES[name], Random(f"lines {name}"), 0
    texts = family.texts
    right = [*texts.methods.values(), texts.other_steps, texts.changed_steps]
    for _ in range(CASES):
        params = family.draw(rng)
        values = {**params, **family.values(**params)}
        for line in (say(step, values, rng) for steps in right for step in steps):
            for formula in line.split("$")[1::2]:
                checked += _check_chain(formula, line)
    print(name, checked, "equalities")
    assert checked >= CASES


def _check_chain(formula: str, line: str) -> int:
    """Count the equalities between plain numbers; fail where one is false."""
    sides = []
    for side in formula.split(" = "):
        plain = (
            side.replace(" \\cdot ", "*")
            .replace("^{", "**(")
            .replace("}", ")" if "^{" in side else "}")
        )
        plain = re.sub(r"\^(\d)", r"**\1", plain)
        try:
            sides.append(number(plain))
        except (SyntaxError, NameError, TypeError, OverflowError):  # words, letters, huge powers
            sides.append(None)
    pairs = [
        (a, b) for a, b in zip(sides, sides[1:], strict=False) if a is not None and b is not None
    ]
    for a, b in pairs:
        assert isclose(a, b, rel_tol=1e-9), (formula, line)
    return len(pairs)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_offer_what_a_web_needs(name: str) -> None:
    texts, rng = FAMILIES[name].texts, Random(1)
    assert len(texts.asked.statements) >= 3 and len(texts.methods) >= 2
    assert len(texts.other.statements) >= 2 and len(texts.changed.statements) >= 2
    assert len({str(FAMILIES[name].draw(rng)) for _ in range(500)}) > 200


def test_there_are_enough_families_and_topics() -> None:
    assert len(FAMILIES) >= 24
    assert len({family.texts.topic for family in FAMILIES.values()}) >= 10
