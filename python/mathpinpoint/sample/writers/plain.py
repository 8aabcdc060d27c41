"""Formulas that need no markup beyond characters (`unicode`) or `sup` and `sub`; None where that is
not enough.
"""

from functools import lru_cache
from html import escape

from mathpinpoint.sample.writers.tex import Node, parse

_UP = str.maketrans("0123456789−+n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ")
_DOWN = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SPACED = set("+−=<>≤≥≠≡→±⋅×/")


class _Unfit(Exception):
    """The formula cannot be written this way."""


def _flat(nodes: tuple[Node | None, ...], html: bool) -> str:
    text = ""
    for node in nodes:
        part = _shown(node, html)
        is_binary = node.kind == "op" and node.text in _SPACED and node.text != "/"
        if is_binary and text and text[-1] not in "(,[":
            part = f" {part} "
        elif node.kind == "op" and node.text in (",", "/"):
            part = {",": ", ", "/": "/"}[node.text]
        text += part
    return text.replace("  ", " ").replace(" ,", ",").strip()


def _script(node: Node, html: bool) -> str:
    base, low, high = node.parts
    text = _shown(base, html)
    if high and high.text == "∘":
        return text + "°"
    if high and high.kind == "op" and high.text.startswith("′"):
        return text + "'" * len(high.text)
    for part, name, table in ((low, "sub", _DOWN), (high, "sup", _UP)):
        if part is None:
            continue
        inner = _shown(part, html)
        if html:
            text += f"<{name}>{inner}</{name}>"
            continue
        moved = inner.translate(table)
        if any(mark == old for mark, old in zip(moved, inner, strict=True)):
            raise _Unfit
        text += moved
    return text


def _shown(node: Node, html: bool) -> str:
    kind, text = node.kind, node.text
    if kind == "row":
        return _flat(node.parts, html)
    if kind in ("frac", "binom", "matrix") or text in ("∫", "∑", "lim"):
        raise _Unfit
    if kind == "sqrt":
        inner = node.parts[0]
        only = inner.parts[0] if inner.kind == "row" and len(inner.parts) == 1 else inner
        if only.kind != "num":
            raise _Unfit
        return f"√{only.text}"
    if kind == "script":
        return _script(node, html)
    if kind == "space":
        return " "
    if kind == "fn":
        return f" {text} " if text == "mod" else text
    if html:
        return f"<i>{text}</i>" if kind == "id" and text.isascii() else escape(text)
    return text


@lru_cache(maxsize=20_000)
def plain(tex: str, html: bool) -> str | None:
    """A formula as characters, or with `html` as characters with `i`, `sup` and `sub`; None if it
    cannot be.
    """
    try:
        return _flat(parse(tex).parts, html)
    except _Unfit:
        return None
