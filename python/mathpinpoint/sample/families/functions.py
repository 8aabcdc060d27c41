"""Inequalities, complex numbers, logarithms, trigonometric equations."""

from fractions import Fraction

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import ratio, root, signed


def _amgm(a: int, b: int) -> Values:
    return {
        "prod": a * b, "ans": root(4 * a * b), "bad": root(a * b), "other_ans": root_ratio(b, a),
        "at": root_ratio(b, a), "changed_ans": root(4 * a * (b + 1)), "prodc": a * (b + 1),
    }  # fmt: skip


def root_ratio(b: int, a: int) -> str:
    """The square root of `b / a` as TeX."""
    value = Fraction(b, a)
    if value.denominator == 1:
        return root(value.numerator)
    return f"\\sqrt{{{ratio(value)}}}"


def _complex(a: int, b: int, c: int, d: int) -> Values:
    size = c * c + d * d
    re, im = a * c + b * d, b * c - a * d
    return {
        "size": size, "re": re, "im": im, "sim": signed(im), "ans": ratio(Fraction(re, size)),
        "bad": ratio(Fraction(a * c - b * d, size)), "other_ans": ratio(Fraction(im, size)),
        "changed_ans": ratio(Fraction(a * c - b * d, size)), "imc": b * c + a * d,
        "y": ratio(Fraction(im, size)),
    }  # fmt: skip


def _logarithm(b: int, n: int, c: int, x: int) -> Values:
    shift = b**n - c * x
    return {
        "inner": f"{c}x {signed(shift)}", "power": b**n, "ans": x,
        "bad": ratio(Fraction(b * n - shift, c)), "sh": shift, "bn": b * n,
        "badtop": b * n - shift, "mshift": signed(-shift),
        "other_ans": ratio(Fraction(1 - shift, c)),
        "changed_ans": ratio(Fraction(b ** (n + 1) - shift, c)), "next": b ** (n + 1),
        "minus": c * x, "zero": 1 - shift, "plus": b ** (n + 1) - shift,
    }  # fmt: skip


def _solutions(k: int, m: int, q: int) -> Values:
    value = f"\\frac{{1}}{{{q}}}"
    return {
        "value": value, "eq": f"\\sin({k}x) = {value}", "eqc": f"\\sin({k}x) = 1",
        "ans": 2 * k * m, "bad": 2 * m,
        "other_ans": f"\\frac{{\\pi}}{{{k}}}" if k > 1 else "\\pi", "changed_ans": k * m,
        "end": 2 * m, "top": 2 * k * m, "periods": k * m,
    }  # fmt: skip


FAMILIES = (
    Family("minimum_by_means", {"a": (2, 40), "b": (3, 60)}, _amgm, valid=lambda a, b: a != b),
    Family(
        "complex_quotient",
        {"a": (2, 15), "b": (2, 15), "c": (2, 9), "d": (2, 9)},
        _complex,
        valid=lambda a, b, c, d: b * c != a * d,
    ),
    Family(
        "logarithmic_equation",
        {"b": (2, 7), "n": (3, 5), "c": (2, 12), "x": (3, 60)},
        _logarithm,
        valid=lambda b, n, c, x: b**n != c * x,
    ),
    Family("number_of_solutions", {"k": (2, 40), "m": (2, 25), "q": (2, 9)}, _solutions),
)
