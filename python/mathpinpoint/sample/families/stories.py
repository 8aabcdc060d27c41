"""Word problems: work, mixtures, meetings, ages."""

from fractions import Fraction
from math import lcm

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import slash

_PEOPLE = ("Anna", "Boris", "Clara", "Dinesh", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jamal")
_JOBS = ("paint the fence", "dig the garden", "fill the pool", "type the report", "stack the boxes")


def _work(a: int, b: int, i: int, j: int, w: int) -> Values:
    units = lcm(a, b)
    together = Fraction(a * b, a + b)
    return {
        "one": _PEOPLE[i], "two": _PEOPLE[j], "job": _JOBS[w], "units": units, "ua": units // a,
        "ub": units // b, "ans": slash(together), "bad": slash(Fraction(a + b, 2)),
        "other_ans": slash(Fraction(a + b, a * b)),
        "changed_ans": slash((1 - Fraction(1, a)) * together),
        "sum": slash(Fraction(a + b, a * b)), "rest": slash(1 - Fraction(1, a)),
    }  # fmt: skip


def _mixture(x: int, p: int, y: int, q: int) -> Values:
    pure = x * p + y * q
    mean = Fraction(pure, x + y)
    return {
        "px": slash(Fraction(x * p, 100)), "qy": slash(Fraction(y * q, 100)),
        "pure": slash(Fraction(pure, 100)), "n": x + y, "ans": slash(mean),
        "bad": slash(Fraction(p + q, 2)), "other_ans": slash(Fraction(pure, 100)),
        "changed_ans": slash(Fraction(x * p, x + y)), "share": slash(Fraction(y, x + y)),
        "step": slash(Fraction(y * (q - p), x + y)),
    }  # fmt: skip


def _meeting(t: int, u: int, v: int, h: int) -> Values:
    d = t * (u + v)
    return {
        "d": d, "close": u + v, "ans": t * u,
        "bad": d // 2 if d % 2 == 0 else slash(Fraction(d, 2)), "other_ans": t,
        "changed_ans": slash(Fraction((d - h * u) * u, u + v) + h * u), "rest": d - h * u,
        "tc": slash(Fraction(d - h * u, u + v)), "more": slash(Fraction((d - h * u) * u, u + v)),
    }  # fmt: skip


FAMILIES = (
    Family(
        "working_together",
        {"a": (2, 30), "b": (3, 36), "i": (0, 9), "j": (0, 9), "w": (0, 4)},
        _work,
        valid=lambda a, b, i, j, w: a < b and i != j,
    ),
    Family(
        "mixture",
        {"x": (2, 30), "p": (5, 40), "y": (2, 30), "q": (20, 90)},
        _mixture,
        valid=lambda x, p, y, q: p < q and x != y,
    ),
    Family(
        "meeting_trains",
        {"t": (2, 9), "u": (40, 120), "v": (40, 120), "h": (1, 1)},
        _meeting,
        valid=lambda t, u, v, h: u != v,
    ),
)
