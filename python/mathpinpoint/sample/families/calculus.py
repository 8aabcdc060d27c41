"""Derivatives, integrals, limits, polynomial remainders."""

from fractions import Fraction

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import fenced, poly, ratio, signed


def _slope(a: int, b: int, c: int, k: int) -> Values:
    value = a * k**3 - b * k * k + c * k
    slope = 3 * a * k * k - 2 * b * k + c
    return {
        "f": poly([a, -b, c, 0]), "df": poly([3 * a, -2 * b, c]), "ans": slope, "value": value,
        "bad": 3 * a * k * k - b * k + c, "baddf": poly([3 * a, -b, c]),
        "other_ans": 6 * a * k - 2 * b, "ddf": poly([6 * a, -2 * b]), "fc": poly([a, b, c, 0]),
        "changed_ans": slope + 4 * b * k, "dfc": poly([3 * a, 2 * b, c]), "second": 3 * a * k - b,
        "sgn": signed(3 * a * k - b),
    }  # fmt: skip


def _integral(a: int, b: int, k: int) -> Values:
    area = Fraction(a * k**3, 3) + Fraction(b * k * k, 2)
    return {
        "f": poly([a, b, 0]), "cube": ratio(Fraction(a * k**3, 3)),
        "square": ratio(Fraction(b * k * k, 2)), "ans": ratio(area), "bad": 2 * a * k + b,
        "other_ans": ratio(area / k), "fc": poly([a, -b, 0]),
        "changed_ans": ratio(Fraction(a * k**3, 3) - Fraction(b * k * k, 2)),
        "a3": ratio(Fraction(a, 3)), "b2": ratio(Fraction(b, 2)),
    }  # fmt: skip


def _limit(c: int, k: int, m: int) -> Values:
    top = poly([c, -c * (k + m), c * k * m])
    return {
        "top": top, "frac": f"\\frac{{{top}}}{{x - {k}}}", "ans": c * (k - m), "bad": c * (k + m),
        "fracm": f"\\frac{{{top}}}{{x - {m}}}", "other_ans": c * (m - k),
        "fracc": f"\\frac{{{top}}}{{x + {k}}}", "changed_ans": 0, "d": fenced(k - m),
    }  # fmt: skip


def _remainder(a: int, b: int, c: int, k: int) -> Values:
    def at(x: int) -> int:
        return x**3 + a * x * x - b * x + c

    q1, q0 = k + a, k * k + a * k - b
    return {
        "f": poly([1, a, -b, c]), "ans": at(k), "bad": at(-k), "q1": q1, "q0": q0, "k2": k * k,
        "k3": k**3, "q": poly([1, q1, q0]), "other_ans": poly([1, q1, q0]), "changed_ans": at(-k),
        "s0": fenced(q0),
    }  # fmt: skip


FAMILIES = (
    Family("tangent_slope", {"a": (2, 9), "b": (2, 15), "c": (2, 20), "k": (2, 8)}, _slope),
    Family("definite_integral", {"a": (2, 15), "b": (3, 25), "k": (2, 12)}, _integral),
    Family(
        "limit_of_quotient",
        {"c": (2, 9), "k": (2, 15), "m": (1, 15)},
        _limit,
        valid=lambda c, k, m: k != m,
    ),
    Family(
        "polynomial_remainder",
        {"a": (2, 15), "b": (2, 20), "c": (2, 30), "k": (2, 6)},
        _remainder,
        valid=lambda a, b, c, k: b != k * k,
    ),
)
