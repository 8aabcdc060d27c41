"""Answers of every family from its statement's numbers: by search, summation, simulation."""

import re
from fractions import Fraction
from itertools import combinations, product
from math import cos, hypot, isclose, log, nan, pi, prod, radians, sin, sqrt

import numpy as np

from mathpinpoint.sample.families import FAMILIES
from mathpinpoint.sample.families.forms import poly


def number(tex: object) -> float:
    """The value of an answer as a float, or of a pair as a sum that tells pairs apart."""
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)*1", str(tex))
    text = re.sub(r"(?<=[\d)])\\(sqrt|pi)", r"*\\\1", text)
    text = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", text).replace("\\pi", "pi")
    value = eval(text, {"sqrt": sqrt, "pi": pi})
    return value[0] + 1000 * value[1] if isinstance(value, tuple) else float(value)


def matrix(tex: str) -> np.ndarray:
    inner = tex.removeprefix("\\begin{pmatrix} ").removesuffix(" \\end{pmatrix}")
    return np.array([[float(cell) for cell in row.split("&")] for row in inner.split("\\\\")])


def squares(v):
    one, two = (np.roots([1, -v["s"], sign * v["p"]]) for sign in (1, -1))
    return (one**2).sum().real, (one**3).sum().real, (two**2).sum().real


def system(v):
    x, y = np.linalg.solve([[v["a"], v["b"]], [v["c"], -v["d"]]], [v["e"], v["g"]])
    p, q = np.linalg.solve([[v["a"], v["b"]], [v["c"], v["d"]]], [v["e"], v["f"]])
    return x + 1000 * y, x * x + y * y, p + 1000 * q


def arithmetic(v):
    terms = [v["a"] + k * v["d"] for k in range(v["n"])]
    return sum(terms), terms[-1], sum(v["a"] - k * v["d"] for k in range(v["n"]))


def geometric(v):
    terms = [v["a"] * v["r"] ** k for k in range(v["n"])]
    return sum(terms), terms[-1], sum(v["a"] * (-v["r"]) ** k for k in range(v["n"]))


def telescoping(v):
    def total(upto, gap):
        return sum(Fraction(1, (k + v["m"]) * (k + v["m"] + gap)) for k in range(1, upto + 1))

    return total(v["n"], 1), total(3000, 1), total(v["n"], 2)


def divisor(v):
    def common(a, b):
        return max(t for t in range(1, b + 1) if a % t == 0 == b % t)

    a, b = v["a"], v["b"]
    multiple = next(m for m in range(a, a * b + 1, a) if m % b == 0)
    return common(a, b), multiple, common(a + 1, b)


def power(v):
    big = v["a"] ** v["n"]
    return big % v["p"], big % 10, big * v["a"] % v["p"]


def congruence(v):
    def first(target):
        return next(x for x in range(v["m"]) if (v["a"] * x - target) % v["m"] == 0)

    return first(v["b"]), first(1), first(-v["b"])


def multiples(v):
    hits = [(k % v["a"] == 0) + (k % v["b"] == 0) for k in range(1, v["n"] + 1)]
    return sum(h > 0 for h in hits), hits.count(0), hits.count(1)


def slope(v):
    f = np.poly1d([v["a"], -v["b"], v["c"], 0])
    g = np.poly1d([v["a"], v["b"], v["c"], 0])
    return f.deriv()(v["k"]), f.deriv(2)(v["k"]), g.deriv()(v["k"])


def integral(v):
    area = np.poly1d([v["a"], v["b"], 0]).integ()(v["k"])
    return area, area / v["k"], np.poly1d([v["a"], -v["b"], 0]).integ()(v["k"])


def limit(v):
    c, k, m, h = v["c"], v["k"], v["m"], 1e-7
    top = np.poly1d([c, -c * (k + m), c * k * m])
    return top(k + h) / h, top(m + h) / h, top(k) / (2 * k)


def remainder(v):
    top, k = np.poly1d([1, v["a"], -v["b"], v["c"]]), v["k"]
    whole, rest = top / np.poly1d([1, -k])
    assert v["other_ans"] == poly([int(part) for part in whole.coeffs])
    return rest(0), nan, (top / np.poly1d([1, k]))[1](0)


def altitude(v):
    a, b = v["a"], v["b"]
    c = hypot(a, b)
    return abs(a * b) / c, (a + b - c) / 2, hypot(a / 2, b / 2)


def chord(v):
    r, d = v["r"], v["d"]
    return 2 * sqrt(r * r - d * d), pi * (r * r - d * d), 2 * sqrt(r * r + 2 * d * d - d * d)


def cosines(v):
    def third(angle):
        x, y = v["a"] * cos(radians(angle)), v["a"] * sin(radians(angle))
        return hypot(v["b"] - x, y)

    return third(60), v["a"] * v["b"] * sin(radians(60)) / 2, third(120)


def urn(v):
    balls = [1] * v["r"] + [0] * v["b"]
    pairs = [sum(pair) for pair in combinations(balls, 2)]
    twice = [x + y for x, y in product(balls, balls)]
    return pairs.count(2) / len(pairs), pairs.count(1) / len(pairs), twice.count(2) / len(twice)


def dice(v):
    rolls = list(product(range(1, v["n"] + 1), repeat=2))
    unequal = [roll for roll in rolls if roll[0] != roll[1]]
    return (
        sum(x + y == v["s"] for x, y in rolls) / len(rolls),
        sum(x < y for x, y in rolls) / len(rolls),
        sum(x + y == v["s"] for x, y in unequal) / len(unequal),
    )


def choose(n, k):
    return prod(range(n - k + 1, n + 1)) // prod(range(1, k + 1))


def committee(v):
    def ways(j):
        return choose(v["w"], j) * choose(v["m"], v["k"] - j)

    every = sum(ways(j) for j in range(v["k"] + 1) if j <= v["w"] and v["k"] - j <= v["m"])
    return ways(v["j"]), ways(v["j"]) / every, ways(v["j"]) + ways(v["j"] + 1)


def paths(v):
    grid = {(0, 0): (1, 0)}  # paths that have not met the point, and paths that have
    for x, y in product(range(v["a"] + 1), range(v["b"] + 1)):
        if (x, y) != (0, 0):
            parts = [grid.get((x - 1, y), (0, 0)), grid.get((x, y - 1), (0, 0))]
            grid[x, y] = tuple(map(sum, zip(*parts, strict=True)))
        if (x, y) == (v["c"], v["d"]):
            grid[x, y] = (0, sum(grid[x, y]))
    off, through = grid[v["a"], v["b"]]
    return through, off + through, off


def eigen(v):
    one, two = matrix(v["mat"]), matrix(v["matc"])
    return max(np.linalg.eigvals(one).real), np.linalg.det(one), max(np.linalg.eigvals(two).real)


def determinant(v):
    one = matrix(v["mat"])
    return np.linalg.det(one), np.trace(one), np.linalg.det(matrix(v["matc"]))


def perpendicular(v):
    fixed = v["a"] * v["d"] + v["b"] * v["e"]
    return -fixed / v["f"], 1 - fixed / v["f"], (v["b"] * v["e"] - v["a"] * v["d"]) / v["f"]


def minimum(v):
    x = np.linspace(0.01, 12, 400_001)
    one, two = v["a"] * x + v["b"] / x, v["a"] * x + (v["b"] + 1) / x
    return one.min(), x[one.argmin()], two.min()


def quotient(v):
    one = complex(v["a"], v["b"]) / complex(v["c"], v["d"])
    return one.real, one.imag, (complex(v["a"], v["b"]) / complex(v["c"], -v["d"])).real


def logarithm(v):
    c, shift, b = v["c"], v["sh"], v["b"]
    assert isclose(log(c * number(v["ans"]) + shift, b), v["n"])
    return v["x"], (1 - shift) / c, (b ** (v["n"] + 1) - shift) / c


def solutions(v):
    x = (np.arange(400 * v["periods"]) + 0.25) * (v["end"] * pi / (400 * v["periods"]))
    wave = np.sin(v["k"] * x) - 1 / v["q"]
    tops = ((wave[1:-1] > wave[:-2]) & (wave[1:-1] >= wave[2:])).sum()
    return (wave[1:] * wave[:-1] < 0).sum(), pi / v["k"], tops


def working(v):
    rate = 1 / v["a"] + 1 / v["b"]
    return 1 / rate, rate, (1 - 1 / v["a"]) / rate


def mixture(v):
    salt, water = v["x"] * v["p"] / 100 + v["y"] * v["q"] / 100, v["x"] * v["p"] / 100
    return 100 * salt / (v["x"] + v["y"]), salt, 100 * water / (v["x"] + v["y"])


def meeting(v):
    hours = v["d"] / (v["u"] + v["v"])
    late = (v["d"] - v["u"]) / (v["u"] + v["v"])
    return hours * v["u"], hours, (late + 1) * v["u"]


SOLVERS = dict(
    zip(
        FAMILIES,
        (
            squares, system, arithmetic, geometric, telescoping, divisor, power, congruence,
            multiples, slope, integral, limit, remainder, altitude, chord, cosines, urn, dice,
            committee, paths, eigen, determinant, perpendicular, minimum, quotient, logarithm,
            solutions, working, mixture, meeting,
        ),
        strict=True,
    )
)  # fmt: skip
