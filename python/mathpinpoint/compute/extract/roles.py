"""Roles of the blocks of a page: what asks, what answers, what remarks."""

import re
from dataclasses import dataclass

from lxml import html

QUESTION, ANSWER, COMMENT, OTHER = "question", "answer", "comment", "other"

# A class or an id that says what a post is: question, js-answer, answercell, comment-copy, answer-1234.
_KIND = r"(?P<kind>question|answer|comment)"
_PLACE = r"(?:s|cell|body|text|content|copy|item|post|list)*"
_NAMED = re.compile(rf"(?:js-|qa-)?{_KIND}(?:[-_]*{_PLACE}){{0,3}}(?:-\d+)?")
_SHORT = re.compile(r"qa-(?P<kind>[qac])-(?:view|item|list)(?:-\w+)*")  # Question2Answer
_SHORT_KINDS = {"q": QUESTION, "a": ANSWER, "c": COMMENT}
_SCHEMA = re.compile(r"schema\.org/(Question|Answer|Comment)\b")
_ASKS = re.compile(r"(?:the )?(?:problem|question|exercise|task)(?: statement)?(?: [\divx]+)?", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?:(?:video|official|quick|full|alternat\w+|another|second|sketch of (?:the )?) ?)*"
    r"(?:solution|answer|proof)s?\b.{0,60}",
    re.IGNORECASE,
)
_HEADING_TAGS = ("h1", "h2")


@dataclass(frozen=True)
class Block:
    """A part of a page's text and its role: question, answer, comment or other; '' where none is known."""

    role: str
    text: str


def roles_of(posts: list[html.HtmlElement]) -> list[str]:
    """The role of each post of a page: the one its classes name.

    Posts that name none are a thread's: the first of them asks unless another post does, the later answer.
    """
    found = [_named_role(post) for post in posts]
    is_asked = QUESTION in found
    for at, role in enumerate(found):
        if role is None:
            found[at] = ANSWER if is_asked else QUESTION
            is_asked = True
    return found


def _named_role(post: html.HtmlElement) -> str | None:
    """The role that the post or the nearest element around it names; None where none does."""
    for element in (post, *post.iterancestors()):
        if element.tag in ("body", "html"):
            return None
        if schema := _SCHEMA.search(element.get("itemtype") or ""):
            return schema[1].lower()
        for word in f"{element.get('class') or ''} {element.get('id') or ''}".lower().split():
            if short := _SHORT.fullmatch(word):
                return _SHORT_KINDS[short["kind"]]
            if named := _NAMED.fullmatch(word):
                return named["kind"]
    return None


def mark_sections(article: html.HtmlElement, mark: str) -> None:
    """Put `mark` before each heading of the first and second level, so that `sections` finds them."""
    for heading in article.iter(*_HEADING_TAGS):
        heading.text = f"{mark} {heading.text or ''}"


def sections(text: str, mark: str) -> list[Block]:
    """The parts of an article whose headings are marked, a heading as a block of its own.

    A section headed Problem asks, one headed Solution or Proof answers.
    """
    first, *others = text.split(mark)
    found = [Block(OTHER, first.strip())]
    for section in others:
        heading, _, body = section.strip().partition("\n")
        found.append(Block(OTHER, heading.strip()))
        found.append(Block(_role_under(heading), body.strip()))
    return [block for block in found if block.text]


def _role_under(heading: str) -> str:
    heading = heading.strip().rstrip(":.")
    if _ASKS.fullmatch(heading):
        return QUESTION
    return ANSWER if _ANSWERS.fullmatch(heading) else OTHER
