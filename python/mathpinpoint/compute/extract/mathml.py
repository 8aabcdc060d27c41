"""MathML to LaTeX: presentation MathML as lxml elements, LaTeX as a string."""

import re

from lxml import etree

from mathpinpoint.compute.extract import mathml_symbols as tables
from mathpinpoint.compute.extract import mathml_tables
from mathpinpoint.compute.extract.mathml_leaves import (
    first_children,
    identifier,
    is_space,
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
from mathpinpoint.compute.extract.mathml_scripts import multiscripts, scripted, under_over

_SPACE = re.compile(r"\s+")
_IGNORED = frozenset(("annotation", "annotation-xml", "none", "mprescripts", "mglyph"))
_LEAVES = frozenset(("mi", "mn", "mo"))
_TALL = re.compile(r"\\frac|\\sum|\\int|\\prod|\\begin|\\sqrt")
_UPRIGHT = re.compile(r"(?:\\mathrm\{[A-Za-z]\}){2,}")
_LAST_SPACE = re.compile(r"(?<!\\)((?:\\\\)*)\\$")


def mathml_to_latex(math: etree._Element) -> str:
    """Convert a `math` element (or any part of one) to LaTeX without delimiters."""
    latex = _row(list(math)) if len(math) else symbols(text_of(math))
    return _LAST_SPACE.sub(r"\1", _SPACE.sub(" ", latex).strip()).strip()


def is_display(math: etree._Element) -> bool:
    """Whether a `math` element asks to stand on a line of its own."""
    return math.get("display") == "block" or math.get("mode") == "display"


def _group(element: etree._Element) -> str:
    """LaTeX of one element as an argument: always in braces."""
    return "{" + _convert(element).strip() + "}"


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


def _cell(cell: etree._Element) -> str:
    return _row(list(cell)) if len(cell) else symbols(text_of(cell))


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


def _fenced_table(opening: str, element: etree._Element, closing: str) -> str:
    named = mathml_tables.fenced(opening, element, closing, _cell)
    return named or _left_right(opening, mathml_tables.table(element, _cell), closing)


def _enclosed(element: etree._Element) -> str:
    inside = _row(list(element))
    for notation in element.get("notation", "").split():
        if notation in tables.ENCLOSURES:
            return rf"\{tables.ENCLOSURES[notation]}{{{inside}}}"
    return inside


def _row(children: list[etree._Element]) -> str:
    """LaTeX of a list of siblings: a fence around a lone table names the matrix."""
    children = [_operator_within(c) for c in children if isinstance(c.tag, str) and local_name(c) not in _IGNORED]
    parts, at = [], 0
    while at < len(children):
        latex, taken = _group_at(children, at) or (_convert(children[at]), 1)
        if latex.startswith(r"\pmod"):
            while parts and is_space(parts[-1]):
                parts.pop()
        parts.append(latex)
        at += taken
    return _balanced(_UPRIGHT.sub(_one_word, join(parts)), children)


def _operator_within(element: etree._Element) -> etree._Element:
    """The operator that a row holds and nothing else; any other element as it is."""
    if local_name(element) == "mrow" and len(element) == 1 and local_name(element[0]) == "mo":
        return element[0]
    return element


def _one_word(found: re.Match) -> str:
    """Upright letters that stand side by side, as one word."""
    letters = found[0].replace(r"\mathrm{", "").replace("}", "")
    return rf"\mathrm{{{letters}}}"


def _group_at(children: list[etree._Element], at: int) -> tuple[str, int] | None:
    """LaTeX of a matrix, a binomial or a modulus that starts at a sibling, and how many siblings it takes."""
    child, rest = children[at], children[at + 1 :]
    if local_name(child) != "mo" or not rest:
        return None
    opening = text_of(child)
    if opening == "(" and (modulus := _modulus(rest)) is not None:
        return modulus[0], modulus[1] + 1
    after = rest[1] if len(rest) > 1 and local_name(rest[1]) == "mo" else None
    closing = text_of(after) if after is not None and text_of(after) in tables.CLOSING | set("|∣‖∥") else ""
    if opening == "(" and closing == ")" and (binomial := _binomial(rest[0])) is not None:
        return binomial, 3
    element = lone_table(rest[0])
    if element is None or opening not in tables.OPENING | set("|∣‖∥") or not (closing or opening == "{"):
        return None
    is_taken = after is not None and (closing or not text_of(after))
    return _fenced_table(opening, element, closing), 3 if is_taken else 2


def _modulus(rest: list[etree._Element]) -> tuple[str, int] | None:
    """LaTeX of `mod n)`, what follows an opening parenthesis, and how many siblings it takes."""
    names = [text_of(part) for part in rest]
    if names[0] != "mod" or local_name(rest[0]) == "mtext" or ")" not in names[1:]:
        return None
    end = names.index(")", 1)
    if "(" in names[:end]:
        return None
    inside = rest[1:end]
    while inside and is_space(_convert(inside[0])):
        inside = inside[1:]
    return rf"\pmod{{{_row(inside).strip()}}}", end + 1


def _balanced(latex: str, children: list[etree._Element]) -> str:
    """`latex`, its outer fences as \\left and \\right where they say so or where they stretch around a tall inside."""
    if len(children) < 2 or local_name(children[0]) != "mo" or local_name(children[-1]) != "mo":
        return latex
    first, last = children[0], children[-1]
    is_named = all(mark.get("fence") == "true" and not mark.get("minsize") for mark in (first, last))
    if not is_named:
        is_fixed = "false" in (first.get("stretchy"), last.get("stretchy"))
        is_pair = text_of(first) in tables.OPENING and text_of(last) in tables.CLOSING
        if is_fixed or not is_pair or not _TALL.search(latex):
            return latex
    left, right = operator(first), operator(last)
    if not (latex.startswith(left) and latex.endswith(right)):
        return latex  # the fence went into a matrix
    inside = latex[len(left) : len(latex) - len(right)].lstrip()
    return join([rf"\left{left or '.'}", " ", inside, rf"\right{right or '.'}"])


_CONVERTERS = {
    "mi": identifier, "mn": number, "mo": operator, "mtext": words, "ms": words,
    "mfrac": _fraction, "mroot": _root, "mfenced": _fenced, "mspace": space,
    "msub": lambda element: scripted(element, _convert),
    "msup": lambda element: scripted(element, _convert),
    "msubsup": lambda element: scripted(element, _convert),
    "munder": lambda element: under_over(element, _convert),
    "mover": lambda element: under_over(element, _convert),
    "munderover": lambda element: under_over(element, _convert),
    "mmultiscripts": lambda element: multiscripts(element, _convert),
    "mtable": lambda element: mathml_tables.table(element, _cell),
    "menclose": _enclosed,
    "msqrt": lambda element: rf"\sqrt{{{_row(list(element))}}}",
    "mphantom": lambda element: rf"\phantom{{{_row(list(element))}}}",
}


def _convert(element: etree._Element) -> str:
    name = local_name(element)
    if name in _IGNORED or not name:
        return ""
    if name in _LEAVES and element.find("*") is not None:
        return _class_of_symbol(element)
    if name == "mpadded" and element.get("width") == "0" and text_of(element) in ("⧸", "/"):
        return r"\not "
    if name in _CONVERTERS:
        return _CONVERTERS[name](element)
    if name == "semantics":
        return _convert(element[0]) if len(element) else ""
    return _row(list(element)) if len(element) else symbols(text_of(element))


def _class_of_symbol(element: etree._Element) -> str:
    """LaTeX of a symbol made of elements, as KaTeX writes `\\bmod`, `\\mathop` and `\\overset`."""
    if text_of(element) == "mod":
        return r"\bmod "
    latex = _row(list(element))
    return rf"\mathop{{{latex}}}" if latex.startswith((r"\text", r"\mathrm")) else latex
