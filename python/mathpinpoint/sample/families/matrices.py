"""Determinants, eigenvalues, vectors."""

from fractions import Fraction

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import fenced, poly, ratio, signed


def _square(rows: list[list[int]]) -> str:
    inner = " \\\\ ".join(" & ".join(str(entry) for entry in row) for row in rows)
    return f"\\begin{{pmatrix}} {inner} \\end{{pmatrix}}"


def _eigen(p: int, q: int, u: int, v: int) -> Values:
    a, b = p * (1 + u * v) - q * u * v, u * (q - p)
    c, d = v * (1 + u * v) * (p - q), q * (1 + u * v) - p * u * v
    return {
        "mat": _square([[a, b], [c, d]]), "a": a, "b": b, "c": c, "d": d, "tr": p + q,
        "det": p * q, "charpoly": poly([1, -(p + q), p * q], "t"), "ans": p, "bad": p + q,
        "other_ans": p * q, "matc": _square([[a + 1, b], [c, d + 1]]), "changed_ans": p + 1,
        "fa": fenced(a), "fb": fenced(b), "fc": fenced(c), "fd": fenced(d), "gap": (p - q) ** 2,
        "w": 1, "bc": b * c, "fbc": fenced(b * c),
        "charc": poly([1, -(p + q + 2), (p + 1) * (q + 1)], "t"), "detc": (p + 1) * (q + 1),
    }  # fmt: skip


def _determinant(a: int, b: int, c: int, d: int, e: int) -> Values:
    det = a * (c * e - d * d) - b * (b * e - d) + (b * d - c)
    return {
        "mat": _square([[a, b, 1], [b, c, d], [1, d, e]]), "m1": c * e - d * d, "m2": b * e - d,
        "m3": b * d - c, "f1": fenced(c * e - d * d), "f2": fenced(b * e - d),
        "sm3": signed(b * d - c), "ans": det,
        "bad": a * (c * e - d * d) + b * (b * e - d) + (b * d - c), "other_ans": a + c + e,
        "matc": _square([[2 * a, 2 * b, 2], [b, c, d], [1, d, e]]), "changed_ans": 2 * det,
        "t1": a * (c * e - d * d), "plus": a * c * e + 2 * b * d,
        "minus": c + a * d * d + b * b * e, "st2": signed(-b * (b * e - d)),
        "bt2": signed(b * (b * e - d)),
    }  # fmt: skip


def _perpendicular(a: int, b: int, d: int, e: int, f: int) -> Values:
    t = Fraction(-(a * d + b * e), f)
    return {
        "dot": a * d + b * e, "ans": ratio(t), "bad": ratio(-t), "left": a * a + b * b,
        "vv": d * d + e * e + f * f, "other_ans": ratio(Fraction(f - a * d - b * e, f)),
        "changed_ans": ratio(Fraction(-(a * d - b * e), f)), "cdot": a * d - b * e,
        "s1": (a + d) ** 2 + (b + e) ** 2,
    }  # fmt: skip


FAMILIES = (
    Family(
        "larger_eigenvalue",
        {"p": (3, 20), "q": (1, 15), "u": (1, 3), "v": (1, 3)},
        _eigen,
        valid=lambda p, q, u, v: p > q,
    ),
    Family(
        "determinant_three_by_three",
        {"a": (2, 9), "b": (2, 9), "c": (2, 9), "d": (2, 9), "e": (2, 9)},
        _determinant,
        valid=lambda a, b, c, d, e: b * e != d and c != b * d and c * e != d * d,
    ),
    Family(
        "perpendicular_vectors",
        {"a": (2, 12), "b": (2, 12), "d": (2, 12), "e": (2, 12), "f": (2, 12)},
        _perpendicular,
        valid=lambda a, b, d, e, f: a * d != b * e,
    ),
)
