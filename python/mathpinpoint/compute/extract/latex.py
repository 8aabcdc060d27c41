"""Cleaning of LaTeX found on a page: outer delimiters, comments, labels, whitespace."""

import html
import re

_OUTER = (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"))
_SHELLS = ("$", r"\[", r"\(", "{", r"\begin")
_STYLE = re.compile(r"^\{\s*\\(?:displaystyle|textstyle|scriptstyle)(?![A-Za-z])")
_EQUATION = re.compile(
    r"^\\begin\{(equation\*?|displaymath|math)\}(.*)\\end\{\1\}$", re.DOTALL
)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n\s*")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_INNER_TEXT = re.compile(r"\\(text|textrm|textnormal|mbox|hbox|textit|textbf)\{([^{}]*\$[^{}]*)\}")
_BARE_DOLLAR = re.compile(r"(?<!\\)\$")
_LAST_SPACE = re.compile(r"(?<!\\)((?:\\\\)*)\\$")  # of `x\ `: it would escape the closing dollar
_ENTITY = re.compile(r"&(?:lt|gt|amp|nbsp|quot|#\d{1,5});")


def clean_latex(latex: str) -> str:
    """LaTeX without delimiters, comments, labels and bare dollars; no command is renamed."""
    if "&" in latex and _ENTITY.search(latex):
        latex = html.unescape(latex)
    if "%" in latex:
        latex = _COMMENT.sub("", latex)
    if "label" in latex:
        latex = _LABEL.sub("", latex)
    latex, before = latex.strip(), None
    while before != latex and latex.startswith(_SHELLS):
        before = latex
        latex = _without_shell(latex).strip()
    if "$" in latex:
        latex = _BARE_DOLLAR.sub("", _INNER_TEXT.sub(_close_text, latex))
    latex = " ".join(latex.split())
    return _LAST_SPACE.sub(r"\1", latex).rstrip() if latex.endswith("\\") else latex


def _without_shell(latex: str) -> str:
    """`latex` without one outer pair of delimiters, style group or equation environment."""
    for opening, closing in _OUTER:
        inside = latex[len(opening) : -len(closing)]
        if len(latex) > len(opening) + len(closing) and latex.startswith(opening):
            if latex.endswith(closing) and not latex.endswith("\\" + closing):
                if opening not in inside and closing not in inside:
                    return inside
    if style := _STYLE.match(latex):
        if _closing_brace(latex) == len(latex) - 1:
            return latex[style.end() : -1]
    if equation := _EQUATION.match(latex):
        return equation[2]
    return latex


def _closing_brace(latex: str) -> int:
    """Position of the brace that closes the first one; -1 if none does."""
    depth, escaped = 0, False
    for position, char in enumerate(latex):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if depth == 0:
                return position
    return -1


def _close_text(found: re.Match) -> str:
    r"""`\text{if $x$ is}` as `\text{if }x\text{ is}`."""
    pieces = found[2].split("$")
    if len(pieces) % 2 == 0:
        return found[0]
    words = [rf"\{found[1]}{{{piece}}}" if piece else "" for piece in pieces[0::2]]
    maths = [*pieces[1::2], ""]
    return "".join(word + math for word, math in zip(words, maths, strict=True))
