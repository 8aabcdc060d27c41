"""MathML to LaTeX: presentation MathML as lxml elements, LaTeX as a string."""

import re

from lxml import etree

from mathpinpoint.compute.extract import mathml_symbols as tables
from mathpinpoint.compute.extract.mathml_leaves import (
    first_children,
    identifier,
    join,
    local_name,
    lone_table,
    number,
    operator,
    space,
    symbols,
    text_of,
    words,
)

_SPACE = re.compile(r"\s+")
_IGNORED = frozenset(("annotation", "annotation-xml", "none", "mprescripts", "mglyph"))
_TAKES_LIMITS = re.compile(r"\\(operatorname|(under|over)brace)\b")


def mathml_to_latex(math: etree._Element) -> str:
    """Convert a `math` element (or any part of one) to LaTeX without delimiters."""
    return _SPACE.sub(" ", _row(list(math))).strip() if len(math) else symbols(text_of(math))


def is_display(math: etree._Element) -> bool:
    """Whether a `math` element asks to stand on a line of its own."""
    return math.get("display") == "block" or math.get("mode") == "display"


def _group(element: etree._Element) -> str:
    """LaTeX of one element as an argument: always in braces."""
    return "{" + _convert(element).strip() + "}"


def _base(element: etree._Element) -> str:
    """LaTeX of a script's base: in braces unless it is one symbol, command or call."""
    latex = _convert(element).strip()
    if len(latex) == 1 or re.fullmatch(r"\\[A-Za-z]+|\\[A-Za-z]+\{[^{}]*\}|\d+", latex):
        return latex
    is_fenced = re.fullmatch(r"\\left[(\[|][^()]*\\right[)\]|]|\([^()]*\)|\[[^\[\]]*\]", latex)
    return latex if is_fenced else "{" + latex + "}"


def _script(mark: str, element: etree._Element) -> str:
    latex = _convert(element).strip()
    if mark == "^" and latex and set(latex) == {"'"}:
        return latex
    return mark + ("{" + latex + "}") if latex else ""


def _has_no_line(element: etree._Element) -> bool:
    return bool(re.fullmatch(r"0(\.0*)?\s*[a-z%]*", element.get("linethickness", "")))


def _binomial(element: etree._Element) -> str | None:
    """LaTeX of what stands between parentheses if it is a fraction without a line."""
    while local_name(element) in ("mrow", "mstyle", "mpadded") and len(element) == 1:
        element = element[0]
    if local_name(element) != "mfrac" or not _has_no_line(element):
        return None
    return r"\binom" + "".join(map(_group, first_children(element, 2)))


def _fraction(element: etree._Element) -> str:
    top, bottom = first_children(element, 2)
    if _has_no_line(element):
        return rf"{{{_convert(top)} \atop {_convert(bottom)}}}"
    if element.get("bevelled") == "true":
        return _group(top) + "/" + _group(bottom)
    return r"\frac" + _group(top) + _group(bottom)


def _root(element: etree._Element) -> str:
    base, index = first_children(element, 2)
    return rf"\sqrt[{_convert(index)}]{_group(base)}"


def _scripted(element: etree._Element) -> str:
    base, *marks = first_children(element, 3 if local_name(element) == "msubsup" else 2)
    signs = {"msub": "_", "msup": "^", "msubsup": "_^"}[local_name(element)]
    return _base(base) + "".join(map(_script, signs, marks))


def _accent(mark: etree._Element, table: dict[str, str], inner: str) -> str | None:
    name = table.get(text_of(mark)) if local_name(mark) in ("mo", "mi", "mtext", "mn") else None
    if name is None:
        return None
    is_long = len(re.sub(r"\\[a-z]+\{?|\}", "", inner)) > 1
    return rf"\{tables.WIDE.get(name, name) if is_long else name}{{{inner}}}"


def _under_over(element: etree._Element) -> str:
    name = local_name(element)
    base, first, second = first_children(element, 3)
    below = None if name == "mover" else first
    above = first if name == "mover" else second if name == "munderover" else None
    latex = _convert(base).strip()
    takes_limits = latex in tables.LIMITS or _TAKES_LIMITS.match(latex)
    for mark, table, script, wrap in (
        (below, tables.BELOW, "_", "underset"), (above, tables.ABOVE, "^", "overset")
    ):
        if mark is None or not _convert(mark):
            continue
        accented = _accent(mark, table, latex)
        if accented is None and takes_limits:
            latex += _script(script, mark)
        else:
            latex = accented or rf"\{wrap}{_group(mark)}{{{latex}}}"
        takes_limits = takes_limits or _TAKES_LIMITS.match(latex)
    return latex


def _multiscripts(element: etree._Element) -> str:
    children = [child for child in element if isinstance(child.tag, str)]
    base, *rest = children or first_children(element, 1)
    names = [local_name(child) for child in rest]
    cut = names.index("mprescripts") if "mprescripts" in names else len(rest)

    def scripts(marks: list[etree._Element]) -> str:
        subs = "".join(_convert(mark) for mark in marks[0::2])
        sups = "".join(_convert(mark) for mark in marks[1::2])
        return (f"_{{{subs}}}" if subs else "") + (f"^{{{sups}}}" if sups else "")

    before = scripts(rest[cut + 1 :])
    return ("{}" + before if before else "") + _base(base) + scripts(rest[:cut])


def _cells(table: etree._Element) -> str:
    rows = []
    for row in table:
        if local_name(row) not in ("mtr", "mlabeledtr"):
            continue
        cells = list(row)[1:] if local_name(row) == "mlabeledtr" else list(row)
        rows.append(" & ".join(_row(list(c)) if len(c) else symbols(text_of(c)) for c in cells))
    return r" \\ ".join(rows)


def _table(element: etree._Element, environment: str = "matrix") -> str:
    align = element.get("columnalign", "").split()
    if environment == "matrix" and align[:2] in (["right", "left"], ["right"]):
        environment = "aligned"
    return rf"\begin{{{environment}}} {_cells(element)} \end{{{environment}}}"


def _fenced(element: etree._Element) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    marks = element.get("separators", ",").replace(" ", "") or ""
    parts = [_convert(child) for child in element]
    joined = parts[0] if parts else ""
    for position, part in enumerate(parts[1:]):
        joined = join([joined, marks[min(position, len(marks) - 1)] if marks else "", part])
    children = list(element)
    if len(children) == 1 and (inside := lone_table(children[0])) is not None:
        return _fenced_table(opening, inside, closing)
    return _left_right(opening, joined, closing)


def _left_right(opening: str, inside: str, closing: str) -> str:
    left, right = symbols(opening) or ".", symbols(closing) or "."
    is_low = len(inside) < 40 and not re.search(r"frac|sum|\\\\", inside)
    if (left, right) == ("(", ")") and is_low:
        return f"({inside})"
    return join([rf"\left{left}", " ", inside, rf"\right{right}"])


def _fenced_table(opening: str, table: etree._Element, closing: str) -> str:
    if opening == "{" and not closing:
        return _table(table, "cases")
    if (environment := tables.MATRICES.get((opening, closing))) is not None:
        return _table(table, environment)
    return _left_right(opening, _table(table), closing)


def _enclosed(element: etree._Element) -> str:
    inside = _row(list(element))
    for notation in element.get("notation", "").split():
        if notation in tables.ENCLOSURES:
            return rf"\{tables.ENCLOSURES[notation]}{{{inside}}}"
    return inside


def _row(children: list[etree._Element]) -> str:
    """LaTeX of a list of siblings: a fence around a lone table names the matrix."""
    children = [c for c in children if isinstance(c.tag, str) and local_name(c) not in _IGNORED]
    parts, at = [], 0
    while at < len(children):
        child = children[at]
        table = lone_table(children[at + 1]) if at + 1 < len(children) else None
        if table is not None and local_name(child) == "mo" and text_of(child) in "([{|∣‖∥":
            after = children[at + 2] if at + 2 < len(children) else None
            closes = after is not None and local_name(after) == "mo"
            closing = text_of(after) if closes and text_of(after) in ")]}|∣‖∥" else ""
            if closing or text_of(child) == "{":
                parts.append(_fenced_table(text_of(child), table, closing))
                at += 3 if closes and (closing or not text_of(after)) else 2
                continue
        if [text_of(part) for part in children[at : at + 3 : 2]] == ["(", ")"]:
            if (binomial := _binomial(children[at + 1])) is not None:
                parts.append(binomial)
                at += 3
                continue
        parts.append(_convert(child))
        at += 1
    return _balanced(join(parts), children)


def _balanced(latex: str, children: list[etree._Element]) -> str:
    """`latex`, its outer stretchy fences as \\left and \\right where the inside is tall."""
    if len(children) < 2 or not re.search(r"\\frac|\\sum|\\int|\\prod|\\begin|\\sqrt", latex):
        return latex
    first, last = text_of(children[0]), text_of(children[-1])
    if first not in tables.OPENING or last not in tables.CLOSING:
        return latex
    left, right = symbols(first), symbols(last)
    if not (latex.startswith(left) and latex.endswith(right)):
        return latex  # the fence went into a matrix
    inside = latex[len(left) : len(latex) - len(right)]
    return join([rf"\left{left}", " ", inside.lstrip(), rf"\right{right}"])


_CONVERTERS = {
    "mi": identifier, "mn": number, "mo": operator, "mtext": words, "ms": words,
    "mfrac": _fraction, "mroot": _root, "msub": _scripted, "msup": _scripted, "msubsup": _scripted,
    "munder": _under_over, "mover": _under_over, "munderover": _under_over,
    "mmultiscripts": _multiscripts, "mtable": _table, "mfenced": _fenced, "mspace": space,
    "menclose": _enclosed,
    "msqrt": lambda element: rf"\sqrt{{{_row(list(element))}}}",
    "mphantom": lambda element: rf"\phantom{{{_row(list(element))}}}",
}


def _convert(element: etree._Element) -> str:
    name = local_name(element)
    if name in _IGNORED or not name:
        return ""
    if name in _CONVERTERS:
        return _CONVERTERS[name](element)
    if name == "semantics":
        return _convert(element[0]) if len(element) else ""
    return _row(list(element)) if len(element) else symbols(text_of(element))
