"""Formulas as presentation MathML."""

from functools import lru_cache
from html import escape

from mathpinpoint.sample.writers.tex import Node, parse

_BIG = ("∑",)


def _row(nodes: tuple[Node | None, ...]) -> str:
    return "".join(markup(node) for node in nodes)


def _group(node: Node) -> str:
    """A node as exactly one element."""
    if node.kind == "row" and len(node.parts) == 1:
        return _group(node.parts[0])
    inner = markup(node)
    return f"<mrow>{inner}</mrow>" if node.kind == "row" else inner


def _script(node: Node) -> str:
    base, low, high = node.parts
    over = base.text in _BIG or base.text == "lim"
    names = ("munder", "mover", "munderover") if over else ("msub", "msup", "msubsup")
    if low and high:
        return f"<{names[2]}>{_group(base)}{_group(low)}{_group(high)}</{names[2]}>"
    name = names[0] if low else names[1]
    return f"<{name}>{_group(base)}{_group(low or high)}</{name}>"


def _matrix(node: Node) -> str:
    rows = "".join(
        "<mtr>" + "".join(f"<mtd>{markup(cell)}</mtd>" for cell in row.parts) + "</mtr>"
        for row in node.parts
    )
    return f'<mrow><mo fence="true">(</mo><mtable>{rows}</mtable><mo fence="true">)</mo></mrow>'


def markup(node: Node) -> str:
    """A node as MathML elements."""
    kind, text = node.kind, escape(node.text)
    if kind == "row":
        return _row(node.parts)
    if kind in ("num", "id", "fn"):
        return f"<mn>{text}</mn>" if kind == "num" else f"<mi>{text}</mi>"
    if kind == "op":
        return f"<mo>{text}</mo>"
    if kind in ("open", "close"):
        return f'<mo stretchy="false">{text}</mo>'
    if kind == "text":
        return f"<mtext>{text}</mtext>"
    if kind == "space":
        return f'<mspace width="{text}em"></mspace>'
    if kind == "sqrt":
        return f"<msqrt>{_row(node.parts)}</msqrt>"
    if kind == "frac":
        return f"<mfrac>{_group(node.parts[0])}{_group(node.parts[1])}</mfrac>"
    if kind == "binom":
        inner = f"{_group(node.parts[0])}{_group(node.parts[1])}"
        return f'<mrow><mo>(</mo><mfrac linethickness="0px">{inner}</mfrac><mo>)</mo></mrow>'
    return _matrix(node) if kind == "matrix" else _script(node)


@lru_cache(maxsize=20_000)
def rows(tex: str) -> str:
    """A formula as one `mrow`."""
    return f"<mrow>{markup(parse(tex))}</mrow>"


def mathml(tex: str, display: bool) -> str:
    """A formula as `math`, without an annotation."""
    mode = ' display="block"' if display else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{mode}>{rows(tex)}</math>'
