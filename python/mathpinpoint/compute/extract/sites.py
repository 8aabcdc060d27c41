"""Pages of questions, forums and wikis: their posts and roles, without authors, dates and votes."""

import re
from functools import lru_cache

from lxml import etree, html

from mathpinpoint.compute.extract import roles
from mathpinpoint.compute.extract.boilerplate import plain_text
from mathpinpoint.compute.extract.roles import Block

# Classes of an element that holds the text of one post and nothing else.
_QA = frozenset(
    """js-post-body post-text question-text question-body question__body question-content
    answer-text answer-body answer__body answer-content comment-copy comment-text comment-body
    comment__body qa-q-view-content qa-a-item-content qa-c-item-content""".split()
)
_FORUM = frozenset(
    """bbwrapper post_body post_message postcontent cooked cmty-post-html messagetext
    message-content message-body post-content post__content post-message post-body
    message-text msg-body post-text-body""".split()
)
_WIKI = frozenset(("mw-parser-output",))
_POST_OUTSIDE = frozenset(("postbody", "post", "postrow", "post-wrap"))  # of a `content`
_POST_CLASSES = _QA | _FORUM | _WIKI | {"content"}
_SITE_NAME = re.compile(r"\s+(?:[|·•»—–]|-)\s+[^|·•»—–]{1,60}$")
_SITE_PART = re.compile(r"(?:page|site|top)-?header|masthead|banner|logo|modal|dialog")
_MIN_FORUM_POSTS = 2  # a blog's single article uses the same class names
_ROLES = re.compile(r"schema\.org/(?:Question|Answer|Comment|DiscussionForumPosting)\b")
_BOILERPLATE = re.compile(
    r"^(?:.*-)?(?:signature|sig|byline|author|username|user-info|post-signature|post-menu|postmeta"
    r"|post-meta|metadata|votes?|votecell|timestamp|edited|edit-link|attribution|reactions?"
    r"|js-post-menu|share|likes?|avatar|permalink|mw-editsection|reference|references|reflist"
    r"|navbox|toc|noprint|printfooter|catlinks|sistersitebox|hatnote|mw-jump-link|mw-empty-elt"
    r"|bbcodeblock-title|bbcodeblock-sourcejump|bbcodeblock-expandlink|post-date|date|s-notice"
    r"|post-notice)$"
)
_KEPT_TAGS = frozenset(("html", "body", "p", "h1", "h2", "h3", "ol", "ul", "li"))


def posts(root: html.HtmlElement, mark: str) -> list[Block] | None:
    """The posts in page order, a wiki's article by its sections; None where the page is of no known kind.

    `mark` is a word that occurs nowhere on the page.
    """
    found, is_wiki = _post_elements(root)
    if not found:
        return None
    for element in found:
        _drop_boilerplate(element)
    if is_wiki:
        roles.mark_sections(found[0], mark)
        return roles.sections(_text_of(found[0]), mark)
    named = roles.roles_of(found)
    blocks = [Block(role, _text_of(element)) for role, element in zip(named, found, strict=True)]
    return [block for block in blocks if block.text]


def page_title(root: html.HtmlElement) -> str:
    """The page's own heading: the first `h1` that is not the site's name, or the heading that the
    title element repeats; else that element without the site's name."""
    named = next(root.iter("title"), None)
    named = " ".join("".join(named.itertext()).split()) if named is not None else ""
    for name in ("h1", "h2"):
        for heading in root.iter(name):
            text = " ".join("".join(heading.itertext()).split())
            if text and not _is_of_site(heading) and (name == "h1" or text in named):
                return text
    return _SITE_NAME.sub("", named)


def _is_of_site(heading: html.HtmlElement) -> bool:
    """Whether a heading stands in a site's banner, menu, margin or dialog."""
    for parent in heading.iterancestors():
        if parent.tag in ("article", "main"):
            return False
        name = f"{parent.get('class') or ''} {parent.get('id') or ''}".lower()
        if parent.tag in ("header", "nav", "aside", "footer") or _SITE_PART.search(name):
            return True
    return False


def _post_elements(root: html.HtmlElement) -> tuple[list[html.HtmlElement], bool]:
    """Outermost elements that hold posts, if the page has enough of one kind; whether they are a wiki's."""
    wiki, posts, questions = [], [], 0
    for element in root.iter():
        named = element.get("class")
        if not (named and _may_be_post(named)) and not element.get("itemprop"):
            continue
        classes = set((element.get("class") or "").lower().split())
        is_question = bool(classes & _QA) or _is_schema_text(element)
        is_post = is_question or classes & _FORUM or _is_content_of_post(element, classes)
        if not (is_post or classes & _WIKI) or _is_in_signature(element):
            continue
        if classes & _WIKI:
            wiki.append(element)
        elif not posts or not _is_inside(element, posts[-1]):
            posts.append(element)
            questions += is_question
    if wiki:
        return [max(wiki, key=lambda element: len("".join(element.itertext())))], True
    return posts if questions or len(posts) >= _MIN_FORUM_POSTS else [], False


def _is_in_signature(element: html.HtmlElement) -> bool:
    return any(
        word == "signature" or word.endswith("-signature")
        for parent in element.iterancestors()
        for word in (parent.get("class") or "").lower().split()
    )


def _is_content_of_post(element: html.HtmlElement, classes: set[str]) -> bool:
    parent = element.getparent()
    if "content" not in classes or parent is None:
        return False
    return not _POST_OUTSIDE.isdisjoint((parent.get("class") or "").lower().split())


def _is_schema_text(element: html.HtmlElement) -> bool:
    if element.get("itemprop") not in ("text", "articleBody"):
        return False
    scope = next((parent for parent in element.iterancestors() if parent.get("itemtype")), None)
    return scope is not None and bool(_ROLES.search(scope.get("itemtype")))


def _is_inside(element: etree._Element, other: etree._Element) -> bool:
    return any(parent is other for parent in element.iterancestors())


def _drop_boilerplate(element: html.HtmlElement) -> None:
    for part in element.xpath(".//*[@class]"):
        words = part.get("class").lower().split()
        if part.tag not in _KEPT_TAGS and any(map(_is_boilerplate, words)):
            part.drop_tree()
    for part in element.xpath(".//button|.//nav|.//time"):
        part.drop_tree()


@lru_cache(maxsize=4096)
def _may_be_post(classes: str) -> bool:
    return not _POST_CLASSES.isdisjoint(classes.lower().split())


@lru_cache(maxsize=4096)
def _is_boilerplate(word: str) -> bool:
    return bool(_BOILERPLATE.match(word))


def _text_of(element: html.HtmlElement) -> str:
    page = html.tostring(element, encoding="unicode", with_tail=False)
    page = f"<html><body><div>{page}</div></body></html>"
    return plain_text(page, main=False, skipped=[]).strip()
