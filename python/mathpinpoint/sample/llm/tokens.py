"""Canonical tokens of a text, so that one formula in two notations gives the same tokens."""

import re
import unicodedata
from array import array
from collections import Counter
from functools import lru_cache

import numpy as np

_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ"
_SUBSCRIPT = "₀₁₂₃₄₅₆₇₈₉₊₋ₙᵢ"
_TOKEN = re.compile(
    rf"(?<=frac)[0-9]|\\[A-Za-z]+|\\.|[{_SUPERSCRIPT}]+|[{_SUBSCRIPT}]+|[0-9]+"
    rf"|[^\W\d_{_SUPERSCRIPT}{_SUBSCRIPT}¼½¾⅓⅔]+|\S"
)

# What says nothing about the mathematics, or is written in one notation only.
_DROPPED = frozenset(
    r"""\left \right \displaystyle \textstyle \limits \big \Big \bigl \bigr \Bigl \Bigr \quad
    \qquad \text \textrm \textbf \mathrm \mathbf \mathbb \mathcal \operatorname \mathop
    \begin \end \frac \dfrac \tfrac \cfrac \over \, \; \: \! \( \) \[ \] \{ \} \\ \_ \$
    { } ( ) [ ] $ / ⁄ _ & ~ . , ; : ? " ' ` * # |""".split()
)

_ALIASES = {
    "\\leq": "\\le", "\\leqslant": "\\le", "\\geq": "\\ge", "\\geqslant": "\\ge",
    "\\neq": "\\ne", "\\to": "\\rightarrow", "\\ldots": "\\dots", "\\cdots": "\\dots",
    "\\lt": "<", "\\gt": ">", "\\iff": "\\leftrightarrow", "\\implies": "\\rightarrow",
    "\\land": "\\wedge", "\\lor": "\\vee", "\\emptyset": "\\varnothing",
    "\\varphi": "\\phi", "\\varepsilon": "\\epsilon", "\\ast": "\\cdot", "\\%": "%",
    "\\Rightarrow": "\\rightarrow", "\\Leftrightarrow": "\\leftrightarrow",
}  # fmt: skip

_SYMBOLS = {
    "≤": "\\le", "⩽": "\\le", "≥": "\\ge", "⩾": "\\ge", "≠": "\\ne", "×": "\\times",
    "·": "\\cdot", "⋅": "\\cdot", "÷": "\\div", "±": "\\pm", "∓": "\\mp", "−": "-",
    "–": "-", "—": "-", "‐": "-", "‑": "-", "√": "\\sqrt", "∞": "\\infty", "∑": "\\sum",
    "∏": "\\prod", "∫": "\\int", "∂": "\\partial", "∇": "\\nabla", "∈": "\\in",
    "∉": "\\notin", "⊂": "\\subset", "⊆": "\\subseteq", "∪": "\\cup", "∩": "\\cap",
    "∅": "\\varnothing", "∀": "\\forall", "∃": "\\exists", "¬": "\\neg", "∧": "\\wedge",
    "∨": "\\vee", "→": "\\rightarrow", "⇒": "\\rightarrow", "⟹": "\\rightarrow",
    "↔": "\\leftrightarrow", "⇔": "\\leftrightarrow", "≡": "\\equiv", "≈": "\\approx",
    "∼": "\\sim", "≅": "\\cong", "∣": "\\mid", "∤": "\\nmid", "∘": "\\circ", "°": "\\circ",
    "∠": "\\angle", "△": "\\triangle", "∥": "\\parallel", "⊥": "\\perp", "…": "\\dots",
    "⌊": "\\lfloor", "⌋": "\\rfloor", "⌈": "\\lceil", "⌉": "\\rceil", "⟨": "\\langle",
    "⟩": "\\rangle", "∝": "\\propto", "∖": "\\setminus", "ℓ": "\\ell",
}  # fmt: skip

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma tau upsilon phi chi psi omega"
).split()
_GREEK_LETTERS = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK, strict=True)) | {
    "ϕ": "phi", "ϵ": "epsilon", "ϑ": "theta", "ς": "sigma",
}  # fmt: skip
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan log ln exp lim max min gcd lcm det deg dim ker "
    "sup inf mod arg".split()
)


def _letters(run: str) -> tuple[str, ...]:
    if any(letter in _GREEK_LETTERS for letter in run):
        return tuple("\\" + _GREEK_LETTERS.get(letter, letter) for letter in run)
    lowered = run.lower()
    return tuple(lowered) if len(run) <= 2 else (lowered,)


@lru_cache(maxsize=200_000)
def _canonical(raw: str) -> tuple[str, ...]:
    """Give the canonical tokens of one raw token; none where it is dropped."""
    if raw in _DROPPED:
        return ()
    if raw in _SYMBOLS:
        return (_SYMBOLS[raw],)
    if raw[0] == "\\":
        name = raw[1:].lower()
        if name in ("bmod", "pmod"):
            return ("mod",)
        return (name,) if name in _FUNCTIONS else (_ALIASES.get(raw, raw),)
    folded = unicodedata.normalize("NFKC", raw)
    if raw[0] in _SUPERSCRIPT:
        return ("^", *tokens(folded))
    if raw[0] in _SUBSCRIPT:
        return tuple(tokens(folded))
    if folded.isdigit():
        return (folded,)
    if folded != raw and not folded[0].isalpha():
        return tuple(tokens(folded))  # ½ is 1 and 2
    return _letters(folded.lower()) if folded[0].isalpha() else (folded,)


def spans(text: str) -> list[tuple[str, int, int]]:
    """Give `(token, start, end)` in order; offsets are characters of `text`."""
    return [
        (token, match.start(), match.end())
        for match in _TOKEN.finditer(text)
        for token in _canonical(match.group())
    ]


def tokens(text: str) -> list[str]:
    """Give the canonical tokens of `text`."""
    found: list[str] = []
    for raw in _TOKEN.findall(text):
        found.extend(_canonical(raw))
    return found


def numbers(text: str) -> Counter[str]:
    """Count the runs of digits of `text`."""
    return Counter(token for token in tokens(text) if token.isdigit())


class Vocabulary:
    """Numbers tokens, so that n-grams can be hashed as arrays."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def ids(self, words: list[str]) -> np.ndarray:
        """Give the number of each token, new tokens included: uint64 of the same length."""
        ids = self._ids
        return np.array(array("Q", [ids.setdefault(word, len(ids) + 1) for word in words]))

    def grams(self, words: list[str]) -> np.ndarray:
        """Give the sorted distinct hashes of the token 3-grams; of 1-grams where words are few."""
        ids = self.ids(words).astype(np.uint64)
        if len(ids) < 3:
            return np.unique(ids)
        factor = np.uint64(0x9E3779B97F4A7C15)
        with np.errstate(over="ignore"):
            mixed = (ids[:-2] * factor + ids[1:-1]) * factor + ids[2:]
            mixed ^= mixed >> np.uint64(29)
        return np.unique(mixed)
