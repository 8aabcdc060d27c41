"""Main text of a page whose mathematics are tokens: the remover, and the guard over it."""

import re
from functools import lru_cache
from itertools import islice

from lxml import etree, html
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from mathpinpoint.compute.extract.math_tokens import MathTokens

# What is never a page's content, and what is not where enough formulas are left without it.
_CHROME = [
    "nav", "footer", "button", "[role=navigation]", "[role=search]", "[role=contentinfo]", ".breadcrumb",
    ".breadcrumbs", ".pagination", ".cookie-banner", ".cookie-notice", ".share", ".social",
]
SKIPPED = [*_CHROME, "aside", "form", "body > header", "[role=banner]", ".sidebar", "#sidebar"]
_MARGIN_TAGS = frozenset(("form", "aside", "header"))
_MARGIN_SHARE = 0.5  # of the characters of the body; what holds more is no margin
_SMALL = frozenset(
    """top topbar crumbs breadcrumb breadcrumbs foot footer meta byline who author ad ads advert
    advertisement sponsored sponsor cookie cookies cookie-notice cookie-banner share sharing social
    rate rating pagination skiplink posted posted-on entry-meta post-meta postmeta linklist navlinks
    topic-actions postprofile copyright license visitors counter user-info sidebar badge tag tags
    post-tag adslot ad-slot disclaimer related relatedposts related-posts related-questions
    site-title site-description site-name tagline""".split()
)
_SMALL_CHARS = 300
_HEADING = "self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
_LINKS = etree.XPath(f".//a[not(ancestor::*[{_HEADING}])]")
_UNLINKED = etree.XPath(f".//text()[not(ancestor::a or ancestor::*[{_HEADING}])]", smart_strings=False)
_MIN_LINKS = 2
_MAX_UNLINKED = 0.25  # letters outside links, by letters in links
_KEPT_FORMULAS = 0.9  # of the distinct formulas of the body
_KEPT_TEXT = 0.2  # of the characters of the full text


def main_text(root: html.HtmlElement, tokens: MathTokens) -> tuple[str, str]:
    """Text without boilerplate and its mode: 'main', or 'full' where 'main' lost too much.

    The remover is known to return nothing, or to leave formulas out, on some pages: the full text
    without navigation is taken where 'main' holds fewer than 9 in 10 of its distinct formulas, or
    less than a fifth of its characters; margins, forms and banners come in as well where the text
    without them holds fewer than 9 in 10 of the formulas.
    """
    page = html.tostring(root, encoding="unicode")
    in_body = set(tokens.pattern.findall(page))
    parsed = HTMLTree.parse(page)
    main = plain_text(parsed, main=True)
    if len(main) >= _KEPT_TEXT * len(page) and in_body <= set(tokens.pattern.findall(main)):
        return main, "main"  # the full text cannot be longer than the page, nor hold more
    full = plain_text(parsed, main=False)
    in_full = set(tokens.pattern.findall(full))
    if len(in_full) < _KEPT_FORMULAS * len(in_body):
        whole = plain_text(parsed, main=False, skipped=_CHROME)
        in_whole = set(tokens.pattern.findall(whole))
        if len(in_full) < _KEPT_FORMULAS * len(in_whole):
            full, in_full = whole, in_whole
    in_main = in_full & set(tokens.pattern.findall(main))
    if len(in_main) < _KEPT_FORMULAS * len(in_full) or len(main) < _KEPT_TEXT * len(full):
        return full, "full"
    return main, "main"


def keep_wrappers(root: html.HtmlElement) -> None:
    """Make plain blocks of forms, banners and margins that hold most of the page's text, as some sites wrap it."""
    body = root.find("body")
    found = [element for element in body.iterdescendants() if _is_margin(element)] if body is not None else []
    if not found:
        return
    least = max(_MARGIN_SHARE * _n_characters(body), _SMALL_CHARS)
    for element in found:
        if _n_characters(element) > least:
            element.tag = "div"
            for name in ("class", "id", "role"):
                element.attrib.pop(name, None)


def _is_margin(element: html.HtmlElement) -> bool:
    if element.tag in _MARGIN_TAGS:
        return True
    is_named = "sidebar" in (element.get("class") or "") or element.get("id") == "sidebar"
    return is_named or element.get("role") == "banner"


def _n_characters(element: html.HtmlElement) -> int:
    return len("".join(element.itertext()))


def drop_small_parts(root: html.HtmlElement, tokens: MathTokens) -> None:
    """Remove short parts without mathematics whose class or id is a word for boilerplate."""
    body = root.find("body")
    for element in list(body.iterdescendants()) if body is not None else []:
        name, identity = element.get("class"), element.get("id")
        if not name and not identity:
            continue
        if not _is_small(name or "", identity or "") or element.tag in ("main", "article"):
            continue
        text = "".join(element.itertext())
        if len(text) <= _SMALL_CHARS and not tokens.pattern.search(text):
            element.drop_tree()


@lru_cache(maxsize=4096)
def _is_small(name: str, identity: str) -> bool:
    return not _SMALL.isdisjoint(f"{name} {identity}".lower().split())


def drop_site_headers(root: html.HtmlElement, tokens: MathTokens, title: str) -> None:
    """Remove short headers outside the article that do not hold the page's own title, if any."""
    for element in list(root.iter("header")):
        if next(element.iterancestors("article", "main"), None) is not None:
            continue
        text = _short_text(element)
        if not title or text is None or tokens.pattern.search(text):
            continue
        if title not in " ".join(text.split()):
            element.drop_tree()


def drop_link_lists(root: html.HtmlElement, tokens: MathTokens) -> None:
    """Remove short blocks of two or more links and little else, with the heading over them.

    Blocks are seen from the outside in, so that the caption of a list goes with it. A heading
    that is itself a link is no link here.
    """
    for element in list(root.iter("div", "p", "ul", "ol", "td")):
        if len(list(islice(element.iter("a"), _MIN_LINKS))) < _MIN_LINKS:
            continue
        text = _short_text(element)
        if text is None or tokens.pattern.search(text):
            continue
        links, rest = _LINKS(element), _UNLINKED(element)
        linked = sum(_n_letters("".join(link.itertext())) for link in links)
        if len(links) >= _MIN_LINKS and _n_letters("".join(rest)) < _MAX_UNLINKED * linked:
            element.drop_tree()


def _short_text(element: html.HtmlElement) -> str | None:
    """All text of an element; None, without reading on, where it is longer than a small part."""
    parts, n_chars = [], 0
    for part in element.itertext():
        parts.append(part)
        n_chars += len(part)
        if n_chars > _SMALL_CHARS:
            return None
    return "".join(parts)


def _n_letters(text: str) -> int:
    return sum(char.isalnum() for char in text)


def plain_text(page: str | HTMLTree, *, main: bool, skipped: list[str] | None = None) -> str:
    """Text of a page with its line breaks; `main` leaves boilerplate out."""
    text = extract_plain_text(
        page, preserve_formatting=True, main_content=main, list_bullets=True, alt_texts=False,
        links=False, form_fields=False, noscript=False, comments=True, hidden_elements=False,
        skip_elements=SKIPPED if skipped is None else skipped,
    )
    return re.sub(r"(?m)^[ \t]*(?:•|\*)[ \t]+", "- ", text)
