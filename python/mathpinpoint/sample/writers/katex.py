"""Formulas as rendered KaTeX: MathML with the TeX as annotation, and its visual twin in spans."""

from functools import lru_cache
from html import escape

from mathpinpoint.sample.writers.mathml import rows
from mathpinpoint.sample.writers.tex import Node, parse

_RELATIONS = set("=<>≤≥≠≡→")
_BINARY = set("+−±⋅×/*")
_STRUT = '<span class="strut" style="height:0.8889em;vertical-align:-0.1944em;"></span>'
_THICK = '<span class="mspace" style="margin-right:0.2778em;"></span>'
_MEDIUM = '<span class="mspace" style="margin-right:0.2222em;"></span>'


def _stack(items: list[tuple[str, str]]) -> str:
    """Parts above each other, each with its offset in em."""
    inner = "".join(
        f'<span style="top:{top}em;"><span class="pstrut" style="height:3em;"></span>{part}</span>'
        for top, part in items
    )
    return (
        '<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist" '
        'style="height:1.1em;">'
        f'{inner}</span><span class="vlist-s">\u200b</span></span><span class="vlist-r">'
        '<span class="vlist" style="height:0.345em;"><span></span></span></span></span>'
    )


def _small(node: Node) -> str:
    inner = f'<span class="mord mtight">{spans(node)}</span>'
    return f'<span class="sizing reset-size6 size3 mtight">{inner}</span>'


def _script(node: Node) -> str:
    base, low, high = node.parts
    items = ([("-2.55", _small(low))] if low else []) + ([("-3.063", _small(high))] if high else [])
    return f'<span class="mord">{spans(base)}<span class="msupsub">{_stack(items)}</span></span>'


def _fraction(node: Node, line: bool) -> str:
    rule = '<span class="frac-line" style="border-bottom-width:0.04em;"></span>'
    top, bottom = (f'<span class="mord mtight">{spans(part)}</span>' for part in node.parts)
    items = [("-2.655", bottom), *([("-3.23", rule)] if line else []), ("-3.394", top)]
    body = f'<span class="mfrac">{_stack(items)}</span>'
    if line:
        return f'<span class="mord"><span class="mopen nulldelimiter"></span>{body}</span>'
    return (
        f'<span class="mord"><span class="mopen">(</span>{body}<span class="mclose">)</span></span>'
    )


def _matrix(node: Node) -> str:
    columns = zip(*(row.parts for row in node.parts), strict=True)
    inner = "".join(
        '<span class="col-align-c">'
        + _stack([(f"-{3 + 0.6 * i:.2f}", spans(cell)) for i, cell in enumerate(column)])
        + "</span>"
        for column in columns
    )
    return (
        '<span class="minner"><span class="mopen delimcenter">(</span><span class="mord">'
        f'<span class="mtable">{inner}</span></span><span class="mclose delimcenter">)</span>'
        "</span>"
    )


def _operator(text: str) -> str:
    shown = escape(text)
    if text in _RELATIONS:
        return f'{_THICK}<span class="mrel">{shown}</span>{_THICK}'
    if text in _BINARY:
        return f'{_MEDIUM}<span class="mbin">{shown}</span>{_MEDIUM}'
    if text in "∫∑":
        return f'<span class="mop op-symbol small-op">{shown}</span>'
    return f'<span class="{"mpunct" if text == "," else "mord"}">{shown}</span>'


def spans(node: Node) -> str:
    """A node as KaTeX's visual spans."""
    kind, text = node.kind, escape(node.text)
    if kind == "row":
        return "".join(spans(part) for part in node.parts)
    if kind == "op":
        return _operator(node.text)
    if kind == "sqrt":
        inner = f'<span class="svg-align" style="top:-3em;">{spans(node.parts[0])}</span>'
        return f'<span class="mord sqrt">{inner}<span class="hide-tail"></span></span>'
    if kind in ("frac", "binom"):
        return _fraction(node, kind == "frac")
    if kind == "script":
        return _script(node)
    if kind == "matrix":
        return _matrix(node)
    if kind == "space":
        return f'<span class="mspace" style="margin-right:{text}em;"></span>'
    names = {
        "num": "mord", "id": "mord mathnormal", "fn": "mop", "text": "mord text", "open": "mopen",
        "close": "mclose",
    }  # fmt: skip
    return f'<span class="{names[kind]}">{text}</span>'


@lru_cache(maxsize=20_000)
def katex(tex: str, display: bool) -> str:
    """A formula as KaTeX renders it."""
    note = f'<annotation encoding="application/x-tex">{escape(tex, quote=False)}</annotation>'
    math = f'<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>{rows(tex)}{note}</semantics></math>'
    base = f'<span class="base">{_STRUT}{spans(parse(tex))}</span>'
    shown = f'<span class="katex-html" aria-hidden="true">{base}</span>'
    whole = f'<span class="katex"><span class="katex-mathml">{math}</span>{shown}</span>'
    return f'<span class="katex-display">{whole}</span>' if display else whole
