"""Numbers and polynomials as TeX."""

from fractions import Fraction
from math import isqrt


def signed(number: int) -> str:
    """A number as a further summand: `+ 3` or `- 3`."""
    return f"+ {number}" if number >= 0 else f"- {-number}"


def fenced(number: int) -> str:
    """A number as a factor: a negative one in parentheses."""
    return str(number) if number >= 0 else f"({number})"


def ratio(value: Fraction) -> str:
    """A fraction in lowest terms, `\\frac{3}{4}`; a whole number as it is."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def slash(value: Fraction) -> str:
    """A fraction in lowest terms on one line, `3/4`."""
    return str(Fraction(value))


def root(number: int) -> str:
    """The square root of a positive whole number, simplified: `6\\sqrt{2}`."""
    factor = max(k for k in range(1, isqrt(number) + 1) if number % (k * k) == 0)
    rest = number // (factor * factor)
    if rest == 1:
        return str(factor)
    return f"\\sqrt{{{rest}}}" if factor == 1 else f"{factor}\\sqrt{{{rest}}}"


def _term(coefficient: int, power: int, letter: str) -> str:
    size = "" if abs(coefficient) == 1 and power else str(abs(coefficient))
    tail = "" if power == 0 else letter if power == 1 else f"{letter}^{power}"
    return size + tail


def poly(coefficients: list[int], letter: str = "x") -> str:
    """A polynomial from its coefficients, the highest power first: `2x^2 - x + 5`."""
    text = ""
    for index, coefficient in enumerate(coefficients):
        if coefficient == 0:
            continue
        term = _term(coefficient, len(coefficients) - 1 - index, letter)
        if text:
            text += f" {'+' if coefficient > 0 else '-'} {term}"
        else:
            text = term if coefficient > 0 else f"-{term}"
    return text or "0"
