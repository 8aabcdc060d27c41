"""The alphabet of match tokens: one regular expression, and what each raw token stands for.

A raw token is a LaTeX command, a number, a run of letters or one symbol. `meaning` says which
match tokens it gives: none (layout), itself, or the common name of its spellings.
"""

import re
import unicodedata

import regex

# `\frac12` is a fraction of two digits; a Greek or double-struck letter is a symbol of its own.
RAW = regex.compile(
    r"""\\[A-Za-z]+
      | (?<=\\frac|\\dfrac|\\tfrac|\\cfrac)[0-9]
      | [\p{L}--[\p{Greek}ℂℍℕℙℚℝℤ]][\p{L}\p{M}--[\p{Greek}ℂℍℕℙℚℝℤ]]*
      | [0-9]+(?:\.[0-9]+)?
      | [\p{N}--[0-9]]+
      | \.\.\.
      | \\[^A-Za-z]
      | [^\s\x00-\x1f\x7f\\{}$~&]\p{M}*""",
    regex.VERSION1 | regex.VERBOSE | regex.DOTALL,
)

# The same tokens of an ASCII text, three times as fast.
RAW_ASCII = re.compile(
    r"""[A-Za-z]+
      | [^\s\x00-\x1f\x7f\\{}$~&0-9A-Za-z.]
      | (?:(?<=\\frac) | (?<=\\dfrac) | (?<=\\tfrac) | (?<=\\cfrac))[0-9]
      | [0-9]+(?:\.[0-9]+)?
      | \\(?:[A-Za-z]+|[^A-Za-z])
      | \.(?:\.\.)?""",
    re.VERBOSE | re.DOTALL,
)

DROPPED = frozenset(
    r"""\left \right \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr
    \middle \displaystyle \textstyle \scriptstyle \scriptscriptstyle \limits \nolimits \quad
    \qquad \thinspace \enspace \hfill \hline \nonumber \notag \text \textrm \textnormal \mathrm
    \mathit \mbox \rm \operatorname \mathstrut \strut \noindent \relax""".split()
)

ALIASES: dict[str, str] = dict(
    line.split(" ", 1)
    for line in r"""\dfrac \frac
\tfrac \frac
\cfrac \frac
\dbinom \binom
\tbinom \binom
\leq \le
\leqslant \le
\geq \ge
\geqslant \ge
\neq \ne
\lt <
\gt >
\ldots \dots
\cdots \dots
\dotsc \dots
\dotsb \dots
... \dots
… \dots
⋯ \dots
\rightarrow \to
\longrightarrow \to
\implies \Rightarrow
\Longrightarrow \Rightarrow
\Leftrightarrow \iff
\Longleftrightarrow \iff
\lbrace \{
\rbrace \}
\vert |
\lvert |
\rvert |
\mid |
\Vert \|
\colon :
\varepsilon \epsilon
\varphi \phi
\varnothing \emptyset
\land \wedge
\lor \vee
\lnot \neg
\bmod mod
\mod mod
\pmod mod
\degree ^ \circ
\% %
\# #
\_ _
° ^ \circ
− -
‐ -
‑ -
– -
﹣ -
∣ |
′ '
’ '
‘ '
“ "
” "
∶ :
≤ \le
⩽ \le
≥ \ge
⩾ \ge
≠ \ne
≈ \approx
≡ \equiv
≅ \cong
∼ \sim
∝ \propto
× \times
÷ \div
± \pm
∓ \mp
· \cdot
⋅ \cdot
∙ \cdot
∘ \circ
√ \sqrt
∞ \infty
∑ \sum
∏ \prod
∫ \int
∮ \oint
∂ \partial
∇ \nabla
∈ \in
∉ \notin
∋ \ni
⊂ \subset
⊆ \subseteq
⊃ \supset
⊇ \supseteq
∪ \cup
∩ \cap
∅ \emptyset
∧ \wedge
∨ \vee
¬ \neg
∀ \forall
∃ \exists
→ \to
↦ \mapsto
⇒ \Rightarrow
⇔ \iff
∠ \angle
△ \triangle
∥ \parallel
⊥ \perp
⊕ \oplus
⊗ \otimes
⌊ \lfloor
⌋ \rfloor
⌈ \lceil
⌉ \rceil
⟨ \langle
⟩ \rangle
ℂ \mathbb C
ℍ \mathbb H
ℕ \mathbb N
ℙ \mathbb P
ℚ \mathbb Q
ℝ \mathbb R
ℤ \mathbb Z
µ \mu""".splitlines()
)
_GREEK = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho
    varsigma sigma tau upsilon phi chi psi omega""".split()
ALIASES |= {chr(0x3B1 + at): f"\\{name}" for at, name in enumerate(_GREEK)}
ALIASES |= {
    chr(0x391 + at): f"\\{name.capitalize()}"
    for at, name in enumerate(_GREEK)
    if name != "varsigma"
}
ALIASES |= {"ϵ": r"\epsilon", "ϕ": r"\phi", "ϑ": r"\vartheta"}

# Named functions: `\sin` and the plain word are one token, for pages that write no LaTeX.
FUNCTIONS = frozenset(
    """sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp gcd lcm lim
    limsup liminf max min sup inf det dim ker deg arg mod""".split()
)
ALIASES |= {f"\\{name}": name for name in FUNCTIONS}

_KEPT_ESCAPES = frozenset("{}|")
_CACHE_LIMIT = 200_000


class Meaning(dict):
    """Raw token to its match tokens (a tuple); remembers what it worked out."""

    def __init__(self, lowers: bool) -> None:
        super().__init__()
        self.lowers = lowers  # words of prose are lower-cased, mathematics is not

    def __missing__(self, raw: str) -> tuple[str, ...]:
        if len(self) > _CACHE_LIMIT:
            self.clear()
        self[raw] = found = self._work_out(raw)
        return found

    def _work_out(self, raw: str) -> tuple[str, ...]:
        if raw in ALIASES:
            return tuple(ALIASES[raw].split(" "))
        if raw[0] == "\\":
            is_kept = raw[1:].isalpha() or raw[1:] in _KEPT_ESCAPES
            return (raw,) if is_kept and raw not in DROPPED else ()
        if raw[0] >= "\U0001d400" and raw[0] <= "\U0001d7ff":  # mathematical alphanumerics
            return (unicodedata.normalize("NFKC", raw),)
        is_word = len(raw) > 1  # a lone letter in prose may be a variable
        return (raw.lower(),) if self.lowers and is_word else (raw,)


PROSE, MATH = Meaning(lowers=True), Meaning(lowers=False)
