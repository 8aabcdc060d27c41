"""Mathematics between delimiters in running text: TeX, BBCode-like tags, AsciiMath."""

import re
from collections.abc import Callable

_ENVIRONMENTS = (
    "equation|align|alignat|gather|multline|eqnarray|displaymath|flalign|aligned|gathered|split"
    "|array|cases|matrix|pmatrix|bmatrix|vmatrix|math"
)
_MATH = re.compile(
    r"(?P<escaped>\\\$|\\`)"
    r"|(?<!\\)\$\$(?P<dollars>.{1,20000}?)(?<!\\)\$\$"
    r"|(?<!\\)\\\[(?P<brackets>(?:\\\\|(?!\\\[).){1,20000}?)(?<!\\)\\\]"
    r"|\\\((?P<parentheses>(?:(?!\\\().){1,5000}?)\\\)"
    rf"|(?P<environment>\\begin\{{(?P<name>(?:{_ENVIRONMENTS})\*?)\}}"
    r"(?:(?!\\begin\{(?P=name)\}).){1,20000}?\\end\{(?P=name)\})"
    r"|\[(?P<tag>tex|itex|latex|math|imath|dmath)\](?P<tagged>.{1,5000}?)\[/(?P=tag)\]"
    r"|(?<!#)##(?P<hashes>(?![\s#])[^#\n]{1,2000}?[\\^_=][^#\n]{0,2000}?(?<!\s))##(?!#)"
    r"|(?P<backtick>`(?P<ascii>(?:\\`|[^`\n]|\n(?!\s*\n)){1,1000})`)"
    r"|(?P<dollar>\$(?P<inline>(?![\s$])(?:[^$\\]|\\.){1,2000}(?<!\s))\$(?!\d))",
    re.DOTALL | re.IGNORECASE,
)
_START = re.compile(r"\$|`|##|\\\$|\\`|\\\[|\\\(|\\b|\\B|\[[tTiIlLmMdD]")  # what each of them begins with
_DISPLAY = ("dollars", "brackets", "environment")
_HINT = re.compile(r"\$|`|##|\\[\[(bB]|\[(?:[iI]?[tT][eE][xX]|[lL][aA][tT][eE][xX]|[iIdD]?[mM][aA][tT][hH])\]")
_BLANK_LINE = re.compile(r"\n\s*\n|\x00\s*\x00")  # NUL stands for <br>
_MONEY = re.compile(r"\d[\d.,]*\s*(?:[kKmM]|bn)?(?:[\s-]+[A-Za-z]{2,}|[\s-]+[A-Za-z]\s)")
_TEXT_COMMAND = re.compile(r"\\(?:text\w*|mbox|operatorname)\s*\{[^{}]*\}")
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}[,;]?\s+[A-Za-z]{3,}\b")
_LOADED = ("MathJax", "mathjax", "KaTeX", "katex", "tex2jax", "tex-chtml", "tex-svg", "tex-mml", "MATHJAX", "Mathjax")
_TEX = re.compile(
    r"\\(?:frac|dfrac|tfrac|sqrt|sum|int|prod|lim|times|cdot|leq?|geq?|neq?|alpha|beta|gamma|theta"
    r"|pi|infty|left|right|begin|in|mathbb|mathrm|text|pm|to|ldots|dots|equiv|pmod|binom|angle)\b"
    r"|\$[^$\n]{0,60}[A-Za-z0-9)][\^_][^$\n]{0,60}\$"
)
_ASCII_SIGNS = ("asciimath", "am_", "am-")
_ASCIIMATH = re.compile(r"asciimath|config=am[_-]|\bam[_-](?:html|chtml|svg)")


def has_single_dollars(page: str) -> bool:
    """Whether a page's source shows that `$…$` may be mathematics: a renderer or TeX commands."""
    if "$" not in page:
        return False
    return any(name in page for name in _LOADED) or bool(_TEX.search(page))


def has_asciimath(scripts: str) -> bool:
    """Whether a page's scripts ask for AsciiMath between backticks."""
    lowered = scripts.lower()
    return any(sign in lowered for sign in _ASCII_SIGNS) and bool(_ASCIIMATH.search(lowered))


def has_hint(text: str) -> bool:
    """Whether a text may hold a formula between delimiters; false only where it holds none."""
    return bool(_HINT.search(text))


def replace_math(
    text: str, put: Callable[[str, str, str], str], *, dollars: bool, asciimath: bool
) -> str:
    """Replace each formula of `text` by what `put(latex, source, form)` returns.

    Single dollars count only where `dollars`, and never as an amount of money.
    """
    if not _HINT.search(text):
        return text
    parts: list[str] = []
    position = 0
    while found := _next(text, position):
        start, kind = found.start(), found.lastgroup
        parts.append(text[position:start])
        token = _token(found, put, dollars=dollars, asciimath=asciimath)
        if token is not None:
            parts.append(token)
            position = found.end()
        else:
            position = found.end() if kind == "escaped" else start + 1
            parts.append(text[start:position])
    parts.append(text[position:])
    return "".join(parts)


def _next(text: str, position: int) -> re.Match | None:
    """The first match from `position` on, tried only where one can begin."""
    while start := _START.search(text, position):
        position = start.start()
        if found := _MATH.match(text, position):
            return found
        position += 1
    return None


def _token(found: re.Match, put, *, dollars: bool, asciimath: bool) -> str | None:
    """The token of a match; None where it is no mathematics."""
    for kind in _DISPLAY:
        if found[kind] is not None:
            return put(found[kind], "tex", "display") if found[kind].strip() else None
    for kind in ("parentheses", "tagged", "hashes"):
        if found[kind] is not None:
            return put(found[kind], "tex", "inline")
    if found["ascii"] is not None and asciimath:
        return put(found["ascii"], "asciimath", "inline")
    if found["inline"] is not None and dollars and is_formula(found["inline"]):
        return put(found["inline"], "tex", "inline")
    return None


def is_formula(body: str) -> bool:
    """Whether what stands between two dollars is mathematics, not money or prose."""
    if _BLANK_LINE.search(body):
        return False
    bare = _TEXT_COMMAND.sub(" ", body)
    if "\\" not in bare and "^" not in bare and "_" not in bare:
        return not (_MONEY.match(bare) or _PROSE.search(bare))
    return not (_MONEY.match(bare) and _PROSE.search(bare))
