"""How authors speak: openings, asides, endings, comments, remarks; the order and layout of an
argument.
"""

import tomllib
from functools import cache
from pathlib import Path
from random import Random

from mathpinpoint.sample.families.base import Values, say

_BANKS = tomllib.loads(
    (Path(__file__).parent / "texts" / "voices.toml").read_text(encoding="utf-8")
)


@cache
def bank(name: str) -> tuple[str, ...]:
    """The templates of a bank of `texts/voices.toml`, one a line."""
    return tuple(line for line in _BANKS[name].splitlines() if line)


def pick(name: str, count: int, values: Values, rng: Random) -> list[str]:
    """Some different sentences of a bank."""
    lines = bank(name)
    return [say(line, values, rng) for line in rng.sample(lines, min(count, len(lines)))]


def argue(steps: tuple[str, ...], values: Values, rng: Random) -> list[str]:
    """An argument as paragraphs, in one of several layouts, with links and asides of the author."""
    lines = [say(step, values, rng) for step in steps]
    layout = rng.choice(("flow", "flow", "steps", "numbers", "lines"))
    if layout == "steps":
        return [f"Step {number}. {line}" for number, line in enumerate(lines, 1)]
    if layout == "numbers":
        return [" ".join(f"({number}) {line}" for number, line in enumerate(lines, 1))]
    if layout == "lines":
        return lines
    asides = pick("asides", rng.randint(1, 3), values, rng)
    parts = [lines[0]]
    for line in lines[1:]:
        if rng.random() < 0.3:
            parts.append(say(rng.choice(bank("links")), values, rng))
        parts.append(line)
        if asides and rng.random() < 0.4:
            parts.append(asides.pop())
    cut = rng.randint(min(2, len(parts)), len(parts))
    return [" ".join(part) for part in (parts[:cut], parts[cut:]) if part]
