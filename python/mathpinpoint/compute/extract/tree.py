"""The tree of a page: parsing, unwrapping of inline formatting, hidden parts, text nodes."""

import re
from collections.abc import Callable
from functools import lru_cache

from lxml import etree, html

_INLINE = (
    "i", "em", "b", "strong", "font", "u", "var", "nobr", "wbr", "tt", "big", "small", "mark",
    "ins", "dfn", "abbr", "bdi", "bdo", "center", "acronym", "sup", "sub", "s",
)
_DROPPED = (
    "script", "style", "svg", "noscript", "template", "iframe", "object", "select", "canvas",
)
_UNREAD = frozenset(("pre", "code", "textarea", "script", "style", "title", "kbd", "samp"))
_IGNORED_CLASS = re.compile(r"tex2jax_ignore|mathjax_ignore|nolatex|no-mathjax")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HIDING_WORD = re.compile(r"hid|collaps|spoiler|toggle|d-none|invisible|closed", re.IGNORECASE)
_SOLUTION = re.compile(r"spoiler|hide|solution|answer|toggle|proof|hint", re.IGNORECASE)
_ONE_CLASS = etree.ElementDefaultClassLookup(element=html.HtmlElement)  # looked up without a call into Python
_BREAK = "\x00"
# A tag of a thousand attributes or more: parsers compare each with all before it.
_LONG_TAG = re.compile(r"<[A-Za-z][^<]{4000}")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']++))?+"""
_CROWDED_TAG = re.compile(rf"""(<[A-Za-z][^\s<>/]*+)(?:[\s/]++[^\s<>"'=/]++{_VALUE}){{1000,}}+""")


class TooDeep(Exception):
    """The page is nested deeper, or has a longer text node, than the parser reads."""


def without_crowds(page: str) -> str:
    """A page whose tags of a thousand attributes or more have none; in time that grows with the length only."""
    return _CROWDED_TAG.sub(r"\1", page) if _LONG_TAG.search(page) else page


def parse(page: str) -> html.HtmlElement | None:
    """Tree of a page; None if there is nothing in it. Raises TooDeep rather than lose text."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    parser.set_element_class_lookup(_ONE_CLASS)
    try:
        root = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        root = None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise TooDeep
    return root


def replace_by_text(element: html.HtmlElement, text: str) -> None:
    """Take an element out of its tree and leave `text` in its place; its tail stays."""
    parent, before = element.getparent(), element.getprevious()
    text += element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    parent.remove(element)


def drop_unread(root: html.HtmlElement) -> None:
    """Remove what is never text: scripts, styles, drawings, menus of choices."""
    etree.strip_elements(root, *_DROPPED, with_tail=False)


def unwrap_inline(root: html.HtmlElement) -> None:
    """Remove inline formatting but not its text.

    The boilerplate remover deletes an inline element whose only text is a symbol such as a minus.
    """
    for span in root.iter("span", "code", "label", "q", "cite"):
        is_plain = span.tag == "span" and not (span.get("class") or span.get("style"))
        is_short = not len(span) and 0 < len((span.text or "").strip()) <= 3
        is_shown = span.get("hidden") is None and "hid" not in (span.get("class") or "")
        if (is_plain or is_short) and is_shown and not span.get("itemprop"):
            span.tag = "i"
    etree.strip_tags(root, *_INLINE)


def show_solutions(root: html.HtmlElement, is_token: Callable[[str], object]) -> None:
    """Un-hide elements that hold mathematics or that are called a solution, spoiler or answer."""
    for element in list(root.iter()):
        if not element.attrib:
            continue
        name = f"{element.get('class') or ''} {element.get('id') or ''}"
        is_hidden = element.get("hidden") is not None
        is_hidden = is_hidden or _HIDDEN_STYLE.search(element.get("style", ""))
        if not is_hidden and not _is_hiding(name):
            continue
        if _SOLUTION.search(name) or is_token("".join(element.itertext())):
            _show(element)


@lru_cache(maxsize=4096)
def _is_hiding(name: str) -> bool:
    return bool(_HIDING_WORD.search(name))


def _show(element: html.HtmlElement) -> None:
    for attribute in ("style", "hidden", "aria-hidden"):
        element.attrib.pop(attribute, None)
    for attribute in ("class", "id"):
        words = element.get(attribute, "").split()
        if any(_HIDING_WORD.search(word) for word in words):
            kept = [word for word in words if not _HIDING_WORD.search(word)]
            element.set(attribute, " ".join(kept))


def replace_text(root: html.HtmlElement, replace: Callable[[str], str], has_hint: Callable[[str], bool]) -> None:
    """Apply `replace` to the running text, lines that `<br>` parts taken together.

    An element none of whose own texts has a hint is passed over.
    """
    hinted: dict[html.HtmlElement, None] = {}
    for element in root.iter():
        if (text := element.text) and has_hint(text):
            hinted[element] = None
        if (text := element.tail) and has_hint(text):
            hinted[element.getparent()] = None
    for element in hinted:
        if not _is_unread(element):
            for run in _runs(element):
                _replace_run(element, run, replace)


def _is_unread(element: html.HtmlElement) -> bool:
    """Whether an element, or one around it, holds code or asks renderers to leave it alone."""
    while element is not None:
        if element.tag in _UNREAD or _IGNORED_CLASS.search(element.get("class") or ""):
            return True
        element = element.getparent()
    return False


def _runs(parent: html.HtmlElement) -> list[list[html.HtmlElement]]:
    """The texts of an element as runs: each run starts at its text or a child's tail."""
    runs: list[list[html.HtmlElement]] = [[parent]]
    for child in parent:
        if child.tag == "br":
            runs[-1].append(child)
        else:
            runs.append([child])
    return runs


def _replace_run(parent, run: list[html.HtmlElement], replace: Callable[[str], str]) -> None:
    """Replace within one run; a `<br>` inside a formula goes with it."""
    first, *breaks = run
    start = first.text if first is parent else first.tail
    texts = [start or "", *(br.tail or "" for br in breaks)]
    if not any(texts):
        return
    joined = _BREAK.join(texts)
    replaced = replace(joined)
    if replaced == joined:
        return
    pieces = replaced.split(_BREAK)
    if first is parent:
        first.text = pieces[0]
    else:
        first.tail = pieces[0]
    for number, br in enumerate(breaks, 1):
        if number < len(pieces):
            br.tail = pieces[number]
        else:
            br.tail = None
            parent.remove(br)
