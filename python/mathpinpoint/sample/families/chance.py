"""Urns, dice, committees, lattice paths."""

from fractions import Fraction
from math import comb

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import ratio, slash


def _urn(r: int, b: int) -> Values:
    n = r + b
    both = Fraction(r * (r - 1), n * (n - 1))
    return {
        "n": n, "ans": slash(both), "bad": slash(Fraction(r * r, n * n)), "pairs": comb(n, 2),
        "redpairs": comb(r, 2), "other_ans": slash(Fraction(2 * r * b, n * (n - 1))),
        "changed_ans": slash(Fraction(r * r, n * n)),
    }  # fmt: skip


def _dice(n: int, s: int) -> Values:
    low, high = max(1, s - n), min(n, s - 1)
    count = high - low + 1
    return {
        "low": low, "high": high, "count": count, "ans": slash(Fraction(count, n * n)),
        "nn": n * n, "bad": slash(Fraction(1, 2 * n - 1)), "sums": 2 * n - 1,
        "other_ans": slash(Fraction(n - 1, 2 * n)), "less": n * (n - 1) // 2,
        "changed_ans": slash(Fraction(count - (s % 2 == 0), n * (n - 1))),
        "even": "one" if s % 2 == 0 else "no", "cdiff": count - (s % 2 == 0),
        "ordered": n * (n - 1),
    }  # fmt: skip


def _committee(m: int, w: int, k: int, j: int) -> Values:
    ways = comb(w, j) * comb(m, k - j)
    return {
        "i": k - j, "cw": comb(w, j), "cm": comb(m, k - j), "ans": ways,
        "bad": comb(w, j) + comb(m, k - j), "all": comb(m + w, k),
        "other_ans": ratio(Fraction(ways, comb(m + w, k))),
        "changed_ans": comb(w, j) * comb(m, k - j) + comb(w, j + 1) * comb(m, k - j - 1),
        "cw1": comb(w, j + 1), "cm1": comb(m, k - j - 1), "prodw": comb(w, j) * _factorial(j),
        "prodm": comb(m, k - j) * _factorial(k - j), "fj": _factorial(j), "fi": _factorial(k - j),
    }  # fmt: skip


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)


def _paths(a: int, b: int, c: int, d: int) -> Values:
    first, second = comb(c + d, c), comb(a + b - c - d, a - c)
    return {
        "first": first, "second": second, "ans": first * second, "bad": first + second,
        "e": a - c, "f": b - d, "all": comb(a + b, a), "other_ans": comb(a + b, a),
        "changed_ans": comb(a + b, a) - first * second, "n1": c + d, "n2": a + b - c - d,
        "n": a + b,
    }  # fmt: skip


FAMILIES = (
    Family("two_balls_from_urn", {"r": (3, 40), "b": (3, 40)}, _urn),
    Family(
        "sum_of_two_dice",
        {"n": (6, 40), "s": (4, 78)},
        _dice,
        valid=lambda n, s: s < 2 * n - 1 and s != n + 1 and min(n, s - 1) - max(1, s - n) > 0,
    ),
    Family(
        "committee",
        {"m": (5, 14), "w": (5, 14), "k": (4, 7), "j": (2, 5)},
        _committee,
        valid=lambda m, w, k, j: 1 < k - j,
    ),
    Family(
        "lattice_paths",
        {"a": (4, 9), "b": (4, 9), "c": (2, 7), "d": (2, 7)},
        _paths,
        valid=lambda a, b, c, d: c < a - 1 and d < b - 1,
    ),
)
