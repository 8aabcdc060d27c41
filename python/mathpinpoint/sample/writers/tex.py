"""A parser for the TeX that the families use. Raises ValueError on anything else."""

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+|\S|\s+")
SYMBOLS = {
    "\\cdot": "⋅", "\\times": "×", "\\le": "≤", "\\ge": "≥", "\\ne": "≠", "\\lt": "<",
    "\\gt": ">", "\\equiv": "≡", "\\pm": "±", "\\to": "→", "\\dots": "…", "\\infty": "∞",
    "\\circ": "∘", "-": "−", "\\int": "∫", "\\sum": "∑", "'": "′",
}  # fmt: skip
LETTERS = {"\\alpha": "α", "\\beta": "β", "\\gamma": "γ", "\\pi": "π"}
FUNCTIONS = ("\\sin", "\\cos", "\\tan", "\\log", "\\gcd", "\\det", "\\lim")
SPACES = {"\\,": 0.1667, "\\;": 0.2778, "\\quad": 1.0}
_PLAIN_OPERATORS = "+-=<>/*|!,:;'."


@dataclass(frozen=True)
class Node:
    """A part of a formula: `kind` says what, `text` is its symbol, `parts` are its children."""

    kind: str  # num id op fn text space open close row frac binom sqrt script matrix
    text: str = ""
    parts: tuple["Node | None", ...] = ()


class _Reader:
    def __init__(self, tex: str) -> None:
        self._tex = tex
        self._tokens = [token for token in _TOKEN.findall(tex) if not token.isspace()]
        self._at = 0

    def peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise ValueError(
                f"Expected {wanted or 'more'} in the formula {self._tex!r}, found {token!r}"
            )
        self._at += 1
        return token

    def row(self, ends: tuple[str, ...]) -> Node:
        """Read until one of `ends` (not taken)."""
        parts = []
        while self.peek() not in ends:
            if not self.peek():
                raise ValueError(f"The formula {self._tex!r} ends too early")
            parts.append(self.scripted())
        return Node("row", parts=tuple(parts))

    def scripted(self) -> Node:
        """An atom with its subscript, superscript and primes."""
        base, low, high = self.atom(), None, None
        while self.peek() in ("^", "_", "'"):
            mark = self.take()
            if mark == "'":
                high = Node("op", (high.text if high else "") + "′")
            elif mark == "^":
                high = self.atom()
            else:
                low = self.atom()
        return Node("script", parts=(base, low, high)) if low or high else base

    def atom(self) -> Node:
        token = self.take()
        if token == "{":
            inner = self.row(("}",))
            self.take("}")
            return inner
        if token in ("\\frac", "\\binom"):
            return Node(token[1:], parts=(self.atom(), self.atom()))
        if token == "\\sqrt":
            return Node("sqrt", parts=(self.atom(),))
        if token == "\\begin":
            return self._matrix()
        if token in ("\\text", "\\pmod"):
            return self._words(token)
        return _symbol(token, self._tex)

    def _words(self, token: str) -> Node:
        inner = self.atom()
        if token == "\\text":
            return Node("text", "".join(part.text for part in inner.parts))
        mod = (Node("open", "("), Node("fn", "mod"), inner, Node("close", ")"))
        return Node("row", parts=(Node("space", "1.0"), *mod))

    def _matrix(self) -> Node:
        self._name()
        rows, cells = [], []
        while True:
            cells.append(self.row(("&", "\\\\", "\\end")))
            mark = self.take()
            if mark != "&":
                rows.append(Node("row", parts=tuple(cells)))
                cells = []
            if mark == "\\end":
                self._name()
                return Node("matrix", parts=tuple(rows))

    def _name(self) -> None:
        self.take("{")
        while self.take() != "}":
            pass


def _symbol(token: str, tex: str) -> Node:
    if token.isdigit():
        return Node("num", token)
    if token in LETTERS or (len(token) == 1 and token.isalpha()):
        return Node("id", LETTERS.get(token, token))
    if token in SYMBOLS or token in _PLAIN_OPERATORS:
        return Node("op", SYMBOLS.get(token, token))
    if token in FUNCTIONS:
        return Node("fn", token[1:])
    if token == "\\bmod":
        return Node("fn", "mod")
    if token in SPACES:
        return Node("space", str(SPACES[token]))
    if token in ("(", "["):
        return Node("open", token)
    if token in (")", "]"):
        return Node("close", token)
    raise ValueError(f"The formula {tex!r} uses {token!r}, which no writer knows")


@lru_cache(maxsize=20_000)
def parse(tex: str) -> Node:
    """The tree of a formula."""
    return _Reader(tex).row(("",)) if tex.strip() else Node("row")
