"""Text of a page that no parser reads whole: tags are stripped one after the other."""

import html
import re

_UNREAD = re.compile(
    r"<(script|style|svg|noscript|template)\b[^>]*>.*?</\1\s*>|<!--.*?-->",
    re.DOTALL | re.IGNORECASE,
)
_BLOCK = re.compile(
    r"</?(?:p|div|br|hr|li|ul|ol|tr|td|th|table|h[1-6]|pre|blockquote|section|article|dd|dt)\b"
    r"[^>]{0,5000}>",
    re.IGNORECASE,
)
# Mathematics that is lost, or loses its structure, when its tags go.
CARRIER = re.compile(
    r"<(?:\w+:)?math\b|<su[bp]\b|<mjx-container|type\s*=\s*[\"']?math/|class\s*=\s*[\"'][^\"'>]{0,200}\b(?:katex|mathjax|latex)"
    r"|<img\b[^>]{0,500}(?:latex|math|tex)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[/!?]?[A-Za-z][^<>]{0,5000}>")


def flat_text(page: str) -> str:
    """All text of an HTML string: every tag dropped, block tags as line breaks."""
    text = _TAG.sub("", _BLOCK.sub("\n", _UNREAD.sub(" ", page)))
    return html.unescape(text)


def flat_title(page: str) -> str:
    """Text of the `title` element; '' where there is none."""
    found = re.search(r"<title[^>]{0,500}>([^<]{0,2000})", page, re.IGNORECASE)
    return html.unescape(found[1]).strip() if found else ""
