"""Scripts and what stands over or under a base in MathML, as LaTeX.

Each function takes the element and the function that converts its parts.
"""

import re
from collections.abc import Callable

from lxml import etree

from mathpinpoint.compute.extract import mathml_symbols as tables
from mathpinpoint.compute.extract.mathml_leaves import first_children, local_name, text_of

Convert = Callable[[etree._Element], str]

_TAKES_LIMITS = re.compile(r"\\(operatorname|(under|over)brace)\b")
_ONE_ATOM = re.compile(r"\\[^A-Za-z]|\\[A-Za-z]+|\\[A-Za-z]+\{[^{}]*\}|\d+")
_FENCED = re.compile(r"\\left(?:[(\[|]|\\\||\\\{)(?:(?!\\left|\\right).)*\\right(?:[)\]|]|\\\||\\\})", re.DOTALL)
_OPERATOR_NAME = re.compile(r"\\operatorname(\{[^{}]*\})")


def scripted(element: etree._Element, convert: Convert) -> str:
    """`msub`, `msup` and `msubsup`."""
    base, *marks = first_children(element, 3 if local_name(element) == "msubsup" else 2)
    signs = {"msub": "_", "msup": "^", "msubsup": "_^"}[local_name(element)]
    scripts = [_script(sign, mark, convert) for sign, mark in zip(signs, marks, strict=True)]
    return _base(base, convert) + "".join(scripts)


def under_over(element: etree._Element, convert: Convert) -> str:
    """`munder`, `mover` and `munderover`: an accent, limits, or a mark over or under a base."""
    name = local_name(element)
    base, first, second = first_children(element, 3)
    below = None if name == "mover" else first
    above = first if name == "mover" else second if name == "munderover" else None
    latex = convert(base).strip()
    latex = _OPERATOR_NAME.sub(r"\\operatorname*\1", latex) if _OPERATOR_NAME.fullmatch(latex) else latex
    takes_limits = latex in tables.LIMITS or _TAKES_LIMITS.match(latex)
    for mark, table, sign, wrap in ((below, tables.BELOW, "_", "underset"), (above, tables.ABOVE, "^", "overset")):
        if mark is None or not convert(mark):
            continue
        accented = _accent(mark, table, latex)
        if accented is None and takes_limits:
            latex += _script(sign, mark, convert)
        else:
            latex = accented or _over_arrow(base, mark, wrap, convert) or _set(wrap, mark, latex, convert)
        takes_limits = takes_limits or _TAKES_LIMITS.match(latex)
    return latex


def multiscripts(element: etree._Element, convert: Convert) -> str:
    """`mmultiscripts`: pairs of scripts after the base, and before it."""
    children = [child for child in element if isinstance(child.tag, str)]
    base, *rest = children or first_children(element, 1)
    names = [local_name(child) for child in rest]
    cut = names.index("mprescripts") if "mprescripts" in names else len(rest)

    def scripts(marks: list[etree._Element]) -> str:
        subs = "".join(convert(mark) for mark in marks[0::2])
        sups = "".join(convert(mark) for mark in marks[1::2])
        return (f"_{{{subs}}}" if subs else "") + (f"^{{{sups}}}" if sups else "")

    before = scripts(rest[cut + 1 :])
    return ("{}" + before if before else "") + _base(base, convert) + scripts(rest[:cut])


def _base(element: etree._Element, convert: Convert) -> str:
    """LaTeX of a script's base: in braces unless it is one symbol, command, call or pair of fences."""
    latex = convert(element).strip()
    if len(latex) == 1 or _ONE_ATOM.fullmatch(latex) or _FENCED.fullmatch(latex):
        return latex
    return "{" + latex + "}"


def _script(mark: str, element: etree._Element, convert: Convert) -> str:
    latex = convert(element).strip()
    if mark == "^" and latex and set(latex) == {"'"}:
        return latex
    return mark + ("{" + latex + "}") if latex else ""


def _set(wrap: str, mark: etree._Element, latex: str, convert: Convert) -> str:
    return rf"\{wrap}{{{convert(mark).strip()}}}{{{latex}}}"


def _over_arrow(base: etree._Element, mark: etree._Element, wrap: str, convert: Convert) -> str | None:
    """LaTeX of an arrow that is as long as what stands on it."""
    arrow = tables.ARROWS.get(text_of(base)) if wrap == "overset" and base.get("stretchy") == "true" else None
    return rf"\{arrow}{{{convert(mark).strip()}}}" if arrow else None


def _accent(mark: etree._Element, table: dict[str, str], inner: str) -> str | None:
    """LaTeX of a base under an accent: the wide form where the mark stretches or the base is long."""
    text = text_of(mark)
    name = table.get(text) if local_name(mark) in ("mo", "mi", "mtext", "mn") else None
    if name is None:
        return None
    is_long = len(re.sub(r"\\[a-z]+\{?|\}", "", inner)) > 1
    if text == "¯" and table is tables.ABOVE and mark.get("stretchy") and not is_long:
        name = "bar"
    is_wide = is_long or (mark.get("stretchy") == "true" and name != "bar" and text != "⃗")
    is_wide = is_wide and not (name == "vec" and mark.get("stretchy") == "false")
    return rf"\{tables.WIDE.get(name, name) if is_wide else name}{{{inner}}}"
