"""Images that are formulas: their LaTeX from alt, title, data attributes or the address."""

import html
import re
from urllib.parse import unquote, unquote_plus

from lxml import etree

from mathpinpoint.compute.extract.mathml import mathml_to_latex

MATH_CLASSES = frozenset(
    """latex tex math mathimage math-image texrender latexcenter teximage equation
    mwe-math-fallback-image-inline mwe-math-fallback-image-display ql-img-inline-formula
    ql-img-displayed-equation wirisformula equation_image ee_img mimetex mathtex latex-image
    formula formulainl formuladsp texhtml latexmath asset-image-math img-math""".split()
)
_DISPLAY_CLASSES = ("display", "latexcenter", "formuladsp")
_ADDRESS = re.compile(
    r"codecogs\.com/[^?]*\?(?P<codecogs>.+)"
    r"|(?:mimetex|mathtex)(?:\.cgi|\.exe|\.php)?\?(?P<cgi>.+)"
    r"|chart\?(?=[^#]*cht=tx)(?:[^#]*&)?chl=(?P<chart>[^&#]+)"
    r"|(?:latex|tex|math)(?:\.php|render)?/?\?(?:[^#]*&)?(?:latex|tex|math|formula|from|eq)="
    r"(?P<named>[^&#]+)"
    r"|render/math\?math=(?P<github>[^&#]+)|math\.now\.sh/?\?(?:from|inline)=(?P<now>[^&#]+)"
    r"|latex\.php\?(?P<bare>[^=&#]*\\.+|[^=&#]*%5C.+)",
    re.IGNORECASE,
)
_CODECOGS_STYLE = re.compile(
    r"^(?:\s*\\(?:dpi\{\d+\}|inline|bg_\w+|fg_\w+|fn_\w+|tiny|small|large|huge|Large|LARGE)\b\s*)+"
)
_TEX_LIKE = re.compile(r"\\[A-Za-z]{2,}|[A-Za-z0-9)\]}]\s*[\^_]\s*[{A-Za-z0-9\\(-]|\\[({\[]")
_DELIMITED = re.compile(
    r"^\s*(?:\$.+\$|\\\(.+\\\)|\\\[.+\\\]|\[(tex|latex)\].+\[/\1\])\s*$", re.DOTALL
)
_NAME_ONLY = re.compile(r"(?:latex|tex|math|equation|formula|image)\W*", re.IGNORECASE)
_PREFIX = re.compile(r"^\s*(?:LaTeX|TeX|Equation|Formula|Math)\s*:\s*", re.IGNORECASE)
_TAGS = re.compile(r"^\[(?P<tag>\w+)\](.*)\[/(?P=tag)\]$", re.DOTALL)
_WIRIS = str.maketrans("«»¨§", "<>\"&")


def is_math_image(image: etree._Element) -> bool:
    """Whether the classes or the address of an image say that it shows a formula."""
    return bool(_classes(image) & MATH_CLASSES or _ADDRESS.search(_address(image)))


def image_latex(image: etree._Element) -> str | None:
    """LaTeX of an image, from the surest place that has it; None where no place has."""
    if mathml := image.get("data-mathml"):
        return _wiris_latex(mathml)
    named = image.get("data-equation-content") or image.get("data-latex") or image.get("data-tex")
    if named and named.strip():
        return unquote(named)
    is_math = is_math_image(image)
    for attribute in ("alt", "title"):
        latex = _stated(image.get(attribute) or "", is_math)
        if latex:
            return latex
    return address_latex(_address(image))


def form_of(image: etree._Element) -> str:
    """'display' where a class of the image says so, else 'inline'."""
    classes = " ".join(_classes(image))
    return "display" if any(word in classes for word in _DISPLAY_CLASSES) else "inline"


def address_latex(address: str) -> str | None:
    """LaTeX that a renderer's address carries. `+` is a space only if `%2B` occurs as well."""
    found = _ADDRESS.search(address)
    if found is None:
        return None
    query = next(value for value in found.groups() if value is not None)
    latex = unquote_plus(query) if "%2b" in query.lower() else unquote(query)
    latex = _CODECOGS_STYLE.sub("", latex).strip()
    return latex or None


def _address(image: etree._Element) -> str:
    lazy = image.get("data-src") or image.get("data-lazy-src") or image.get("data-original")
    address = image.get("src") or ""
    return html.unescape(lazy if lazy and (not address or address.startswith("data:")) else address)


def _classes(image: etree._Element) -> frozenset[str]:
    return frozenset((image.get("class") or "").lower().split())


def _stated(text: str, is_math: bool) -> str | None:
    """LaTeX in an alternative text, if the text is LaTeX."""
    text = _PREFIX.sub("", text).strip()
    if not text or len(text) > 5000:
        return None
    if _DELIMITED.match(text):
        tagged = _TAGS.match(text)
        return tagged[2] if tagged else text
    has_words = re.search(r"[A-Za-z]{4,} [A-Za-z]{3,}", re.sub(r"\\text\w*\{[^{}]*\}", "", text))
    if "\\" not in text and (not is_math or has_words or _NAME_ONLY.fullmatch(text)):
        return None
    return text if is_math or (_TEX_LIKE.search(text) and not has_words) else None


def _wiris_latex(mathml: str) -> str | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        math = etree.fromstring(mathml.translate(_WIRIS).encode(), parser=parser)
    except etree.XMLSyntaxError:
        return None
    return mathml_to_latex(math) if math is not None else None
