"""What a family of problems is, and how a template becomes a text.

The words of a family stand in `texts/<name>.toml`, one template a line. A template is prose with
LaTeX between `$`; `<a*b+1>` stands for an expression over the values of the problem, `[[a|b|c]]`
for one of several wordings. The choices depend on the random stream alone, never on the values,
so that the same stream gives the same words for other numbers.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType

from mathpinpoint.sample.families import forms

_CHOICE = re.compile(r"\[\[(.*?)\]\]")
_VALUE = re.compile(r"<([\w(-][^<>$]*)>")
_TEXTS = Path(__file__).parent / "texts"
_NAMES = {
    "__builtins__": {},
    "Fraction": Fraction,
    **{
        name: getattr(forms, name)
        for name in ("fenced", "poly", "ratio", "root", "signed", "slash")
    },
}

Params = dict[str, int]
Values = Mapping[str, object]


@dataclass(frozen=True)
class Asked:
    """A problem as templates: its wordings, what is given and asked, its answer."""

    statements: tuple[str, ...]
    conditions: str
    target: str
    answer: str


@dataclass(frozen=True)
class Texts:
    """All that pages may say of a family: also with another target, or a changed condition."""

    topic: str
    title: str
    asked: Asked
    methods: dict[str, tuple[str, ...]]  # right solutions, at least two
    wrong: tuple[str, ...]  # a central step is wrong, and so is the answer
    invalid: tuple[str, ...]  # the right answer by reasoning that does not hold
    other: Asked
    other_steps: tuple[str, ...]
    changed: Asked
    changed_steps: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """Problems that differ in their parameters only.

    `values` gives, from the parameters, each `<name>` of the templates; always `ans` (the
    answer), `bad` (the answer of `wrong`), `other_ans` and `changed_ans`, each as TeX.
    """

    name: str
    ranges: dict[str, tuple[int, int]]
    values: Callable[..., Values]
    valid: Callable[..., bool] = lambda **_: True

    @property
    def texts(self) -> Texts:
        """The words of this family."""
        return _read(self.name)

    def draw(self, rng: Random) -> Params:
        """Draw parameters for which the problem is well posed."""
        while True:
            params = {name: rng.randint(*bounds) for name, bounds in self.ranges.items()}
            if self.valid(**params):
                return params


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line.strip())


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "<template>", "eval")


@cache
def _read(name: str) -> Texts:
    table = tomllib.loads((_TEXTS / f"{name}.toml").read_text(encoding="utf-8"))
    asked = Asked(_lines(table["statements"]), table["conditions"], table["target"], "$<ans>$")
    other, changed = table["other"], table["changed"]
    return Texts(
        topic=table["topic"],
        title=table["title"],
        asked=asked,
        methods={method: _lines(steps) for method, steps in table["methods"].items()},
        wrong=_lines(table["wrong"]),
        invalid=_lines(table["invalid"]),
        other=Asked(
            _lines(other["statements"]),
            other.get("conditions", asked.conditions),
            other["target"],
            "$<other_ans>$",
        ),
        other_steps=_lines(other["steps"]),
        changed=Asked(
            _lines(changed["statements"]),
            changed["conditions"],
            changed.get("target", asked.target),
            "$<changed_ans>$",
        ),
        changed_steps=_lines(changed["steps"]),
    )


def say(template: str, values: Values, rng: Random) -> str:
    """Choose the wordings of a template by `rng` and put the values in. The templates are our own
    files.
    """
    text = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), template)
    return _VALUE.sub(lambda found: str(eval(_compiled(found[1]), _NAMES, values)), text)
