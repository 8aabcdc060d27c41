"""Formulas that a renderer has drawn: KaTeX, MathJax, MediaWiki and MathML itself.

Each function takes the element and the page's tokens, and gives LaTeX, source and form; None leaves the element.
"""

import re
from collections.abc import Iterator

from lxml import etree, html

from mathpinpoint.compute.extract.images import form_of
from mathpinpoint.compute.extract.math_tokens import MathTokens
from mathpinpoint.compute.extract.mathml import is_display, local_name, mathml_to_latex
from mathpinpoint.compute.extract.mathml_leaves import symbols

Found = tuple[str, str, str]


def _annotation(element: etree._Element) -> str | None:
    for found in _named(element, "annotation"):
        encoding = (found.get("encoding") or "").lower()
        if "tex" in encoding and (latex := "".join(found.itertext())).strip():
            return latex
    return None


def _math_element(element: etree._Element) -> etree._Element | None:
    return next(_named(element, "math"), None)


def _named(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """Elements of a name within an element, and itself; where there are none, those with a prefix before the name."""
    found = element.iter(name, f"{{*}}{name}")
    if (first := next(found, None)) is not None:
        yield first
        yield from found
    elif name == "math" or ":" in element.tag:
        yield from (part for part in element.iter() if local_name(part) == name)


def parsed_math(source: str) -> etree._Element | None:
    """The first `math` element of a source, if there is one."""
    try:
        return _math_element(html.document_fromstring(f"<div>{source}</div>"))
    except (etree.ParserError, ValueError):
        return None


def media_wiki(element: etree._Element, tokens: MathTokens) -> Found | None:
    """A formula of MediaWiki: its annotation, alternative text, image or MathML."""
    math = _math_element(element)
    image = next(element.iter("img"), None)
    latex = _annotation(element)
    if latex is None and math is not None:
        latex = math.get("alttext")
    if latex is None and image is not None:
        latex = image.get("alt")
    if latex is None:
        return math_element(math, tokens) if math is not None else None
    is_block = math is not None and is_display(math)
    is_block = is_block or (image is not None and form_of(image) == "display")
    return latex, "mediawiki", "display" if is_block else "inline"


def katex(element: etree._Element, tokens: MathTokens) -> Found:
    """A formula of KaTeX: its annotation, else its MathML, else its glyphs (lossy)."""
    parents = [element, *list(element.iterancestors())[:2]]
    is_block = any("katex-display" in (parent.get("class") or "") for parent in parents)
    latex = _annotation(element)
    if latex is None and (math := _math_element(element)) is not None:
        latex = converted(math, tokens)
    if latex is None:
        tokens.is_lossy = True
        latex = symbols("".join(element.itertext()).strip())
    return latex, "katex", "display" if is_block else "inline"


def katex_error(element: etree._Element, tokens: MathTokens) -> Found:
    """What KaTeX could not read: the source as it stands."""
    return "".join(element.itertext()), "katex", "inline"


def _stated(element: etree._Element) -> str | None:
    """The LaTeX that MathJax 4 writes on what it made of it."""
    found = next((part for part in element.iter() if local_name(part) in ("math", "mjx-math")), None)
    return (found.get("data-latex") or "").strip() or None if found is not None else None


def mathjax_3(element: etree._Element, tokens: MathTokens) -> Found:
    """A formula of MathJax 3 or 4: its source, else its MathML, else its glyphs (lossy)."""
    is_block = element.get("display") == "true"
    form = "display" if is_block else "inline"
    if latex := _stated(element):
        return latex, "mathjax_latex", form
    math = _math_element(element)
    if math is not None:
        return converted(math, tokens), "mathjax_mathml", form
    tokens.is_lossy = True
    chars = [_code_point(glyph) for glyph in element.iter("mjx-c", "use")]
    return symbols("".join(chars) or "".join(element.itertext()).strip()), "mathjax_glyphs", form


def _code_point(glyph: etree._Element) -> str:
    """The character that a glyph of MathJax 3 shows: class `mjx-c1D465` or `data-c="1D465"`."""
    named = re.search(r"mjx-c([0-9A-F]{2,6})\b", glyph.get("class") or "")
    code = named[1] if named else glyph.get("data-c", "")
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""


def mathjax_2(element: etree._Element, tokens: MathTokens) -> Found | None:
    """Rendered MathJax 2 whose script is gone."""
    if "Preview" in (element.get("class") or ""):
        return None
    source = element if element.get("data-mathml") else next(
        iter(element.xpath(".//*[@data-mathml]")), None
    )
    math = _math_element(element)
    if math is None and source is not None:
        math = parsed_math(source.get("data-mathml"))
    form = "display" if "Display" in (element.get("class") or "") else "inline"
    if math is not None:
        return converted(math, tokens), "mathjax_mathml", form
    tokens.is_lossy = True
    return symbols("".join(element.itertext()).strip()), "mathjax_glyphs", form


def math_element(element: etree._Element, tokens: MathTokens) -> Found:
    """A `math` element: its annotation or alternative text, else its conversion."""
    latex = _annotation(element) or element.get("alttext") or element.get("data-latex")
    form = "display" if is_display(element) else "inline"
    return (latex or converted(element, tokens)), "mathml", form


def converted(math: etree._Element, tokens: MathTokens) -> str:
    """LaTeX of MathML; its characters alone where it is nested too deep to convert."""
    if latex := _annotation(math):
        return latex
    try:
        return mathml_to_latex(math)
    except RecursionError:
        tokens.is_lossy = True
        return symbols("".join(math.itertext()))
