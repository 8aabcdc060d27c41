"""Tables of MathML as LaTeX: matrices, cases, aligned equations, arrays with lines."""

from collections.abc import Callable

from lxml import etree

from mathpinpoint.compute.extract import mathml_symbols as symbols
from mathpinpoint.compute.extract.mathml_leaves import local_name

Cell = Callable[[etree._Element], str]

_ROWS = ("mtr", "mlabeledtr")
_NUMBERS = ("mtr-glue", "mml-eqn-num")  # cells of the renderer's own, for the number of an equation
_LETTERS = {"left": "l", "right": "r", "center": "c"}
_LINES = ("solid", "dashed")


def table(element: etree._Element, cell: Cell) -> str:
    """A table without fences: aligned equations, an array or a matrix, by the alignment of its columns."""
    aligns, rows = _alignment(element), _rows(element)
    if not _has_lines(element):
        if aligns and all(align == ("right", "left")[at % 2] for at, align in enumerate(aligns)):
            return _environment("aligned", rows, cell)
        if set(aligns) <= {"center"}:
            return _environment("matrix", rows, cell)
    return _array(element, aligns, rows, cell)


def fenced(opening: str, element: etree._Element, closing: str, cell: Cell) -> str | None:
    """A table between fences where there is a name for both: a matrix, or cases; else None."""
    aligns = set(_alignment(element))
    if _has_lines(element):
        return None
    if opening == "{" and not closing and aligns <= {"left"}:
        return _environment("cases", _rows(element), cell)
    name = symbols.MATRICES.get((opening, closing))
    return _environment(name, _rows(element), cell) if name and aligns <= {"center"} else None


def _rows(element: etree._Element) -> list[list[etree._Element]]:
    found = []
    for row in element:
        if local_name(row) in _ROWS:
            cells = list(row)[1:] if local_name(row) == "mlabeledtr" else list(row)
            found.append([part for part in cells if (part.get("class") or "") not in _NUMBERS])
    return found


def _alignment(element: etree._Element) -> list[str]:
    """How each column stands: from the table, or from the cells of its longest row; [] where nothing says it."""
    rows = _rows(element)
    width = max(map(len, rows), default=0)
    named = element.get("columnalign", "").split()
    if not named:
        widest = next((row for row in rows if len(row) == width), [])
        named = [part.get("columnalign", "") for part in widest]
        return [] if "" in named else named
    return (named + named[-1:] * width)[:width]


def _has_lines(element: etree._Element) -> bool:
    lines = f"{element.get('rowlines', '')} {element.get('columnlines', '')}".split()
    return any(line in _LINES for line in lines)


def _environment(name: str, rows: list[list[etree._Element]], cell: Cell) -> str:
    body = r" \\ ".join(" & ".join(map(cell, row)) for row in rows)
    return rf"\begin{{{name}}} {body} \end{{{name}}}"


def _array(element: etree._Element, aligns: list[str], rows: list[list[etree._Element]], cell: Cell) -> str:
    width = max(map(len, rows), default=0)
    letters = [_LETTERS.get(align, "c") for align in aligns] or ["c"] * width
    columns, lines = _repeated(element, "columnlines", width), _repeated(element, "rowlines", len(rows))
    spec = "".join(letter + ("|" if line else "") for letter, line in zip(letters, columns, strict=True))
    ends = [r"\\ \hline" if line else r"\\" for line in lines]
    parts = [f"{' & '.join(map(cell, row))} {end}" for row, end in zip(rows, ends, strict=True)]
    body = " ".join(parts).removesuffix(r"\\").rstrip()
    return rf"\begin{{array}}{{{spec}}} {body} \end{{array}}"


def _repeated(element: etree._Element, attribute: str, count: int) -> list[bool]:
    """Whether a line follows each of `count` columns or rows; never after the last."""
    named = [line in _LINES for line in element.get(attribute, "none").split()] or [False]
    return [*(named + named[-1:] * count)[: max(count - 1, 0)], *[False] * min(count, 1)]
