"""Divisors, powers modulo a prime, congruences, counting multiples."""

from math import gcd, lcm

from mathpinpoint.sample.families.base import Family, Values

_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43)


def _euclid(a: int, b: int) -> str:
    lines = []
    while b:
        lines.append(f"${a} = {a // b} \\cdot {b} + {a % b}$")
        a, b = b, a % b
    return ", ".join(lines)


def _divisor(g: int, u: int, v: int) -> Values:
    a, b = g * u, g * v
    return {
        "a": a, "b": b, "chain": _euclid(a, b), "ans": g, "bad": a - b, "other_ans": lcm(a, b),
        "c": a + 1, "changed_ans": gcd(a + 1, b), "chainc": _euclid(a + 1, b),
    }  # fmt: skip


def _binary(base: int, exponent: int, modulus: int) -> str:
    power, value, parts = 1, base % modulus, []
    while power <= exponent:
        parts.append(f"${base}^{{{power}}} \\equiv {value}$")
        power, value = 2 * power, value * value % modulus
    return ", ".join(parts)


def _power(a: int, n: int, i: int) -> Values:
    p = _PRIMES[i]
    rest = n % (p - 1)
    bits = [1 << k for k in range(n.bit_length()) if n >> k & 1]
    return {
        "p": p, "rest": rest, "times": n // (p - 1), "squares": _binary(a, n, p),
        "bits": " + ".join(str(bit) for bit in reversed(bits)), "ans": pow(a, n, p),
        "bad": pow(a, n % p, p), "badrest": n % p, "badtimes": n // p, "other_ans": pow(a, n, 10),
        "twos": pow(a, n, 2), "fives": pow(a, n, 5), "a5": a % 5, "n4": n % 4,
        "changed_ans": pow(a, n + 1, p),
    }  # fmt: skip


def _congruence(a: int, x: int, m: int) -> Values:
    b, inverse = a * x % m, pow(a, -1, m)
    return {
        "b": b, "inv": inverse, "k": (a * x - b) // m, "ans": x, "bad": b * a % m,
        "other_ans": inverse, "changed_ans": (m - x) % m, "nb": (m - b) % m,
    }  # fmt: skip


def _multiples(a: int, b: int, n: int) -> Values:
    both = n // a + n // b - n // (a * b)
    block = a * b
    full, rest = divmod(n, block)
    return {
        "block": block, "full": full, "rest": rest, "per": a + b - 1, "na": n // a, "nb": n // b,
        "nab": n // block, "tail": rest // a + rest // b, "ans": both, "bad": n // a + n // b,
        "other_ans": n - both, "changed_ans": both - n // block,
    }  # fmt: skip


FAMILIES = (
    Family(
        "greatest_common_divisor",
        {"g": (6, 60), "u": (5, 40), "v": (3, 30)},
        _divisor,
        valid=lambda g, u, v: u > v + 1 and gcd(u, v) == 1,
    ),
    Family(
        "power_modulo_prime",
        {"a": (2, 9), "n": (50, 400), "i": (0, 9)},
        _power,
        valid=lambda a, n, i: (
            a != 5
            and pow(a, n, _PRIMES[i]) != pow(a, n % _PRIMES[i], _PRIMES[i])
            and n % (_PRIMES[i] - 1) > 1
        ),
    ),
    Family(
        "linear_congruence",
        {"a": (3, 40), "x": (2, 80), "m": (20, 97)},
        _congruence,
        valid=lambda a, x, m: (
            gcd(a, m) == 1
            and x < m
            and a < m
            and a * x % m * a % m != x
            and 2 * x != m
            and a * x > m
        ),
    ),  # fmt: skip
    Family(
        "multiples_of_two_numbers",
        {"a": (3, 13), "b": (4, 17), "n": (200, 999)},
        _multiples,
        valid=lambda a, b, n: a < b and gcd(a, b) == 1,
    ),
)
