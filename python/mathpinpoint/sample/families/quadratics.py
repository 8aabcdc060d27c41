"""Quadratic equations and systems of linear equations."""

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import poly, signed


def _squares(s: int, p: int) -> Values:
    return {
        "s": s, "p": p, "s2": s * s, "p2": 2 * p, "eq": f"x^2 - {s}x + {p}", "ans": s * s - 2 * p,
        "bad": s * s + 2 * p, "other_ans": s**3 - 3 * s * p, "s3": s**3, "sp3": 3 * s * p,
        "changed_ans": s * s + 2 * p, "eqc": f"x^2 - {s}x - {p}",
    }  # fmt: skip


SQUARES = Family(
    "sum_of_squares_of_roots",
    ranges={"s": (5, 60), "p": (2, 90)},
    valid=lambda s, p: s * s > 4 * p,
    values=_squares,
)


def _system(x: int, y: int, a: int, b: int, c: int, d: int) -> Values:
    e, f, det = a * x + b * y, c * x + d * y, a * d - b * c
    return {
        "x": x, "y": y, "a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "det": det,
        "one": f"{poly([a, 0])} + {poly([b, 0], 'y')} = {e}", "ad": a * d, "bc": b * c,
        "two": f"{poly([c, 0])} - {poly([d, 0], 'y')} = {c * x - d * y}", "g": c * x - d * y,
        "ax": a * d + b * c, "ex": e * d + b * (c * x - d * y), "ed": e * d,
        "bg": b * (c * x - d * y), "by": b * y, "left": e - a * x, "axv": a * x, "cx": c * x,
        "dy": d * y, "sbg": signed(b * (c * x - d * y)), "ans": f"({x}, {y})",
        "bad": f"({x}, {-y})", "other_ans": x * x + y * y,
        "twoc": f"{poly([c, 0])} + {poly([d, 0], 'y')} = {f}", "changed_ans": f"({x}, {y})",
        "fb": f * b, "sfb": signed(-f * b), "dx": e * d - f * b, "x2": x * x, "y2": y * y,
    }  # fmt: skip


SYSTEM = Family(
    "linear_system",
    ranges={"x": (2, 15), "y": (2, 15), "a": (2, 9), "b": (2, 9), "c": (2, 9), "d": (2, 9)},
    valid=lambda x, y, a, b, c, d: a * d != b * c and x != y,
    values=_system,
)

FAMILIES = (SQUARES, SYSTEM)
