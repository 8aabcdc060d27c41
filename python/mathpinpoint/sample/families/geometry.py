"""Right triangles, chords, the law of cosines."""

from fractions import Fraction

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import ratio, root


def _altitude(m: int, n: int, k: int) -> Values:
    a, b, c = k * (m * m - n * n), 2 * k * m * n, k * (m * m + n * n)
    height = Fraction(a * b, c)
    return {
        "a": a, "b": b, "c": c, "ans": ratio(height), "bad": ratio(Fraction(a * b, 2 * c)),
        "other_ans": ratio(Fraction(a * b, a + b + c)), "piece": ratio(Fraction(a * a, c)),
        "changed_ans": ratio(Fraction(c, 2)), "cc": a * a + b * b,
    }  # fmt: skip


def _chord(r: int, d: int) -> Values:
    half = r * r - d * d
    return {
        "half": half, "ans": root(4 * half), "bad": root(half), "gap": r - d, "sum": r + d,
        "other_ans": f"{half}\\pi", "changed_ans": root(4 * (r * r + d * d)), "full": 4 * half,
    }  # fmt: skip


def _cosines(a: int, b: int) -> Values:
    square = a * a + b * b - a * b
    return {
        "square": square, "ans": root(square), "bad": root(a * a + b * b + a * b),
        "other_ans": f"{ratio(Fraction(a * b, 4))}\\sqrt{{3}}",
        "changed_ans": root(a * a + b * b + a * b), "ha": ratio(Fraction(a, 2)),
        "rest": ratio(Fraction(2 * b - a, 2)), "aa": a * a, "bb": b * b,
        "big": a * a + b * b + a * b, "h2": ratio(Fraction(3 * a * a, 4)),
        "r2": ratio(Fraction((2 * b - a) ** 2, 4)),
    }  # fmt: skip


FAMILIES = (
    Family(
        "altitude_of_right_triangle",
        {"m": (2, 12), "n": (1, 11), "k": (1, 9)},
        _altitude,
        valid=lambda m, n, k: m > n,
    ),
    Family("chord_of_circle", {"r": (5, 60), "d": (2, 58)}, _chord, valid=lambda r, d: d < r - 1),
    Family(
        "law_of_cosines",
        {"a": (3, 50), "b": (4, 60)},
        _cosines,
        valid=lambda a, b: a < b and 2 * b != a,
    ),
)
