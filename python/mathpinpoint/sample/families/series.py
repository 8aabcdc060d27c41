"""Arithmetic, geometric and telescoping sums."""

from fractions import Fraction

from mathpinpoint.sample.families.base import Family, Values
from mathpinpoint.sample.families.forms import ratio, slash


def _arithmetic(a: int, d: int, n: int) -> Values:
    last, total = a + (n - 1) * d, n * (2 * a + (n - 1) * d) // 2
    shown = f"{a} + {a + d} + {a + 2 * d} + \\dots + {last}"
    return {
        "last": last, "shown": shown, "ans": total,
        "bad": slash(Fraction(n * (2 * a + n * d), 2)), "other_ans": last, "badlast": a + n * d,
        "changed_ans": n * (2 * a - (n - 1) * d) // 2, "low": a - (n - 1) * d,
    }  # fmt: skip


def _geometric(a: int, r: int, n: int) -> Values:
    return {
        "last": a * r ** (n - 1), "top": a * r**n, "ans": a * (r**n - 1) // (r - 1),
        "bad": ratio(Fraction(a * (r ** (n - 1) - 1), r - 1)), "other_ans": a * r ** (n - 1),
        "changed_ans": ratio(Fraction(a * (1 - (-r) ** n), 1 + r)), "alt": a * (1 - (-r) ** n),
    }  # fmt: skip


def _telescoping(m: int, n: int) -> Values:
    total = Fraction(1, m + 1) - Fraction(1, m + n + 1)
    two = (
        Fraction(1, m + 1) + Fraction(1, m + 2) - Fraction(1, m + n + 1) - Fraction(1, m + n + 2)
    ) / 2
    return {
        "term": f"\\frac{{1}}{{(k + {m})(k + {m + 1})}}", "ans": ratio(total),
        "bad": ratio(Fraction(1, m + 1) - Fraction(1, m + n)),
        "other_ans": ratio(Fraction(1, m + 1)), "term2": f"\\frac{{1}}{{(k + {m})(k + {m + 2})}}",
        "changed_ans": ratio(two),
    }  # fmt: skip


FAMILIES = (
    Family("arithmetic_sum", {"a": (2, 60), "d": (2, 15), "n": (10, 80)}, _arithmetic),
    Family("geometric_sum", {"a": (2, 40), "r": (2, 7), "n": (4, 9)}, _geometric),
    Family("telescoping_sum", {"m": (1, 40), "n": (10, 120)}, _telescoping),
)
