"""Replaces every carrier of mathematics in a page's tree by an ASCII token.

The order matters: what renders a formula twice (KaTeX, MathJax, MediaWiki) goes before the parts it
is made of.
"""

import re

from lxml import html

from mathpinpoint.compute.extract import rendered
from mathpinpoint.compute.extract.images import form_of, image_latex, is_math_image
from mathpinpoint.compute.extract.math_tokens import MathTokens
from mathpinpoint.compute.extract.tree import replace_by_text

_PREFIXED_MATH = ".//*[contains(name(), ':math')]"
_RENDERED = re.compile(r"^(MathJax|MJX|mjx-)|MathJax", re.IGNORECASE)
_DATA = ("data-expr", "data-latex", "data-tex", "data-math", "data-katex", "data-formula")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|e|ème|TM|SM|®|™|\[.*\]|[*†‡])", re.IGNORECASE)
# Where an element without children has a class that says that a script will render its text.
_NAMED_TAGS = ("span", "div", "code")
_NAMED_CLASSES = frozenset(
    "math tex latex math-inline math-display math-tex inline-math display-math language-math"
    " js-render-math katex-inline katex-block".split()
)
_BARE_TEX = re.compile(r"\\[A-Za-z]+|[\^_]")
_DELIMITER = re.compile(r"\\[(\[]|\$|\\begin\{")
_SCRIPT_CHARS = 40


def _of_class(root: html.HtmlElement, name: str) -> list[html.HtmlElement]:
    """The elements whose class list holds `name`."""
    return [part for part in root.iter() if (named := part.get("class")) and name in named and name in named.split()]


def replace_carriers(root: html.HtmlElement, page: str, tokens: MathTokens) -> None:
    """Replace the carriers that are elements. `page` is the source, asked before each search."""
    if "mwe-math-element" in page:
        _replace_all(root, _of_class(root, "mwe-math-element"), rendered.media_wiki, tokens)
    if "katex" in page:
        _replace_all(root, _of_class(root, "katex"), rendered.katex, tokens)
        _replace_all(root, _of_class(root, "katex-error"), rendered.katex_error, tokens)
    if "math/" in page:
        for script in [s for s in root.iter("script") if (s.get("type") or "").startswith("math/")]:
            _replace_script(script, tokens)
    if "mjx-container" in page:
        _replace_all(root, list(root.iter("mjx-container")), rendered.mathjax_3, tokens)
    if "MathJax" in page:
        drawn = [part for part in root.iter() if (part.get("class") or "").startswith("MathJax")]
        _replace_all(root, drawn, rendered.mathjax_2, tokens)
    if "math" in page:
        _replace_all(root, list(root.iterdescendants("math")), rendered.math_element, tokens)
    if ":math" in page or ":MATH" in page:
        _replace_all(root, root.xpath(_PREFIXED_MATH), rendered.math_element, tokens)
    _replace_all(root, list(root.iter("img")), _image, tokens)
    for attribute in _DATA:
        if attribute in page:
            stated = [part for part in root.iter() if part.get(attribute) is not None]
            _replace_all(root, stated, _data, tokens, attribute)
    if "math-container" in page:
        _replace_all(root, _of_class(root, "math-container"), _container, tokens)
    if "wp-katex-eq" in page:
        _replace_all(root, _of_class(root, "wp-katex-eq"), _content, tokens)
    named = [part for part in root.iter(*_NAMED_TAGS) if not len(part) and part.get("class")]
    _replace_all(root, named, _named, tokens)
    for script in reversed(list(root.iter("sup", "sub"))):
        _replace_script_text(script, tokens)


def _replace_all(root, elements: list, convert, tokens: MathTokens, *arguments) -> None:
    """Replace each of the elements by the token of what `convert` gives; None leaves it."""
    for element in elements:
        if element.getparent() is None or element is root:
            continue
        found = convert(element, tokens, *arguments)
        if found is not None:
            replace_by_text(element, tokens.put(*found))


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
        math = rendered.parsed_math(source)
        latex = rendered.converted(math, tokens) if math is not None else ""
        replace_by_text(script, tokens.put(latex, "mathjax_mathml", form))
    else:
        name = "asciimath" if "ascii" in kind else "mathjax_script"
        replace_by_text(script, tokens.put(source, name, form))


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


def _container(element, tokens):
    """What Stack Exchange and others put around a formula: `$5$` within it is no money."""
    text = "".join(element.itertext()).strip()
    if not text or tokens.pattern.search(text):
        return None
    return text, "math_class", "display" if text.startswith(("$$", r"\[", r"\begin")) else "inline"


def _named(element, tokens):
    classes = element.get("class").lower().split()
    text = element.text or ""
    if not text or _NAMED_CLASSES.isdisjoint(classes) or _DELIMITER.search(text) or not _BARE_TEX.search(text):
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
