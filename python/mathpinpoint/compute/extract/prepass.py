"""Replaces every carrier of mathematics in a page's tree by an ASCII token.

The order matters: what renders a formula twice (KaTeX, MathJax, MediaWiki) goes before the parts it
is made of.
"""

import re

from lxml import etree, html

from mathpinpoint.compute.extract.images import form_of, image_latex, is_math_image
from mathpinpoint.compute.extract.math_tokens import MathTokens
from mathpinpoint.compute.extract.mathml import is_display, local_name, mathml_to_latex
from mathpinpoint.compute.extract.mathml_leaves import symbols
from mathpinpoint.compute.extract.tree import replace_by_text

_MATH = ".//math|.//*[contains(name(), ':math')]"
_RENDERED = re.compile(r"^(MathJax|MJX|mjx-)|MathJax", re.IGNORECASE)
_DATA = ("data-expr", "data-latex", "data-tex", "data-math", "data-katex", "data-formula")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|e|ème|TM|SM|®|™|\[.*\]|[*†‡])", re.IGNORECASE)
# Elements without children whose class says that a script will render their text.
_NAMED = "//*[self::span or self::div or self::code][not(*)][@class]"
_NAMED_CLASSES = frozenset(
    "math tex latex math-inline math-display math-tex inline-math display-math language-math"
    " js-render-math katex-inline katex-block".split()
)
_BARE_TEX = re.compile(r"\\[A-Za-z]+|[\^_]")
_DELIMITER = re.compile(r"\\[(\[]|\$|\\begin\{")
_SCRIPT_CHARS = 40


def has_class(name: str) -> str:
    """XPath condition: the element's class list holds `name`."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def replace_carriers(root: html.HtmlElement, page: str, tokens: MathTokens) -> None:
    """Replace the carriers that are elements. `page` is the source, asked before each search."""
    if "mwe-math-element" in page:
        _replace_each(root, f"//*[{has_class('mwe-math-element')}]", _media_wiki, tokens)
    if "katex" in page:
        _replace_each(root, f"//*[{has_class('katex')}]", _katex, tokens)
        _replace_each(root, f"//*[{has_class('katex-error')}]", _katex_error, tokens)
    if "math/" in page:
        for script in root.xpath("//script[starts-with(@type, 'math/')]"):
            _replace_script(script, tokens)
    if "mjx-container" in page:
        _replace_each(root, "//mjx-container", _mathjax_3, tokens)
    if "MathJax" in page:
        _replace_each(root, "//*[starts-with(@class, 'MathJax')]", _mathjax_2, tokens)
    if "math" in page:
        _replace_each(root, _MATH, _math, tokens)
    _replace_each(root, "//img", _image, tokens)
    for attribute in _DATA:
        if attribute in page:
            _replace_each(root, f"//*[@{attribute}]", _data, tokens, attribute)
    if "wp-katex-eq" in page:
        _replace_each(root, f"//*[{has_class('wp-katex-eq')}]", _content, tokens)
    _replace_each(root, _NAMED, _named, tokens)
    for script in reversed(root.xpath("//sup|//sub")):
        _replace_script_text(script, tokens)


def _replace_each(root, path: str, convert, tokens: MathTokens, *arguments) -> None:
    """Replace each element found by the token of what `convert` gives; None leaves it."""
    for element in root.xpath(path):
        if element.getparent() is None or element is root:
            continue
        found = convert(element, tokens, *arguments)
        if found is not None:
            replace_by_text(element, tokens.put(*found))


def _annotation(element: etree._Element) -> str | None:
    for found in element.iter():
        if local_name(found) == "annotation":
            encoding = (found.get("encoding") or "").lower()
            if "tex" in encoding and (latex := "".join(found.itertext())).strip():
                return latex
    return None


def _math_element(element: etree._Element) -> etree._Element | None:
    return next((found for found in element.iter() if local_name(found) == "math"), None)


def _parsed_math(source: str) -> etree._Element | None:
    try:
        return _math_element(html.document_fromstring(f"<div>{source}</div>"))
    except (etree.ParserError, ValueError):
        return None


def _media_wiki(element, tokens):
    math = _math_element(element)
    image = next(element.iter("img"), None)
    latex = _annotation(element)
    if latex is None and math is not None:
        latex = math.get("alttext")
    if latex is None and image is not None:
        latex = image.get("alt")
    if latex is None:
        return _math(math, tokens) if math is not None else None
    is_block = math is not None and is_display(math)
    is_block = is_block or (image is not None and form_of(image) == "display")
    return latex, "mediawiki", "display" if is_block else "inline"


def _katex(element, tokens):
    parents = [element, *list(element.iterancestors())[:2]]
    is_block = any("katex-display" in (parent.get("class") or "") for parent in parents)
    latex = _annotation(element)
    if latex is None and (math := _math_element(element)) is not None:
        latex = _converted(math, tokens)
    if latex is None:
        tokens.is_lossy = True
        latex = symbols("".join(element.itertext()).strip())
    return latex, "katex", "display" if is_block else "inline"


def _katex_error(element, tokens):
    return "".join(element.itertext()), "katex", "inline"


def _replace_script(script: html.HtmlElement, tokens: MathTokens) -> None:
    """A MathJax script: its source replaces it and the rendered twins before it."""
    before = script.getprevious()
    while before is not None and not (before.tail or "").strip():
        earlier = before.getprevious()
        if not _RENDERED.search(before.get("class") or before.get("id") or before.tag):
            break
        replace_by_text(before, "")
        before = earlier
    kind = (script.get("type") or "").lower()
    form = "display" if "mode=display" in kind.replace(" ", "") else "inline"
    source = script.text or ""
    if "mml" in kind:
        math = _parsed_math(source)
        latex = _converted(math, tokens) if math is not None else ""
        replace_by_text(script, tokens.put(latex, "mathjax_mathml", form))
    else:
        name = "asciimath" if "ascii" in kind else "mathjax_script"
        replace_by_text(script, tokens.put(source, name, form))


def _mathjax_3(element, tokens):
    is_block = element.get("display") == "true"
    form = "display" if is_block else "inline"
    math = _math_element(element)
    if math is not None:
        return _converted(math, tokens), "mathjax_mathml", form
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


def _mathjax_2(element, tokens):
    """Rendered MathJax 2 whose script is gone."""
    if "Preview" in (element.get("class") or ""):
        return None
    source = element if element.get("data-mathml") else next(
        iter(element.xpath(".//*[@data-mathml]")), None
    )
    math = _math_element(element)
    if math is None and source is not None:
        math = _parsed_math(source.get("data-mathml"))
    form = "display" if "Display" in (element.get("class") or "") else "inline"
    if math is not None:
        return _converted(math, tokens), "mathjax_mathml", form
    tokens.is_lossy = True
    return symbols("".join(element.itertext()).strip()), "mathjax_glyphs", form


def _math(element, tokens):
    latex = _annotation(element) or element.get("alttext")
    form = "display" if is_display(element) else "inline"
    return (latex or _converted(element, tokens)), "mathml", form


def _converted(math: etree._Element, tokens: MathTokens) -> str:
    """LaTeX of MathML; its characters alone where it is nested too deep to convert."""
    if latex := _annotation(math):
        return latex
    try:
        return mathml_to_latex(math)
    except RecursionError:
        tokens.is_lossy = True
        return symbols("".join(math.itertext()))


def _image(element, tokens):
    latex = image_latex(element)
    if latex is None:
        tokens.is_lossy = tokens.is_lossy or is_math_image(element)
        return None
    return latex, "image", form_of(element)


def _data(element, tokens, attribute):
    latex = (element.get(attribute) or "").strip()
    if not latex or latex in ("true", "false") or latex[0] in "{[" and '":' in latex:
        return None
    return latex, "data_attribute", "display" if element.tag == "div" else "inline"


def _content(element, tokens):
    is_block = "katex-display" in (element.get("class") or "") or element.tag == "div"
    return "".join(element.itertext()), "katex", "display" if is_block else "inline"


def _named(element, tokens):
    classes = set((element.get("class") or "").lower().split())
    text = element.text or ""
    if _NAMED_CLASSES.isdisjoint(classes) or _DELIMITER.search(text) or not _BARE_TEX.search(text):
        return None
    is_block = element.tag == "div" or any("display" in name or "block" in name for name in classes)
    return text, "math_class", "display" if is_block else "inline"


def _replace_script_text(element: html.HtmlElement, tokens: MathTokens) -> None:
    """`<sup>` and `<sub>` as `^{…}` and `_{…}`, where they are mathematics."""
    text = " ".join("".join(element.itertext()).split())
    if "reference" in (element.get("class") or "") or not text:
        element.drop_tree()
        return
    is_long = len(tokens.pattern.sub("x", text)) > _SCRIPT_CHARS
    is_link = element.find(".//a") is not None or element.getparent().tag == "a"
    if is_long or is_link or _ORDINAL.fullmatch(text):
        element.drop_tag()
        return
    if any(parent.tag in ("pre", "code", "textarea") for parent in element.iterancestors()):
        return
    mark = "^" if element.tag == "sup" else "_"
    bare = f"{mark}{{{text.replace('$', '')}}}"
    replace_by_text(element, tokens.put(bare, "sup_sub", "bare"))
