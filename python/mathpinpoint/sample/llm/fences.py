"""Finds the page and the query that a request quotes between fences."""

import re
from dataclasses import dataclass
from typing import Any

_OPENING = re.compile(r"^<<<(?:page|query) ([0-9a-f]{16})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """The texts that a request shows; None where it shows none."""

    page: str | None
    query: str | None
    system: str
    around: str  # the user message without what it quotes


def text_of(content: Any) -> str:
    """Give a message's text, whether its content is a string or a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or ""


def _quoted(text: str, what: str, code: str) -> tuple[str | None, str]:
    """Give what stands between the fences, and the text with that cut out."""
    pattern = rf"^<<<{what} {code}[ \t]*\n(.*?)^{code} {what}>>>[ \t]*$"
    match = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    if match is None:
        return None, text
    return match.group(1).removesuffix("\n"), text[: match.start()] + text[match.end() :]


def read_fences(messages: list[dict[str, Any]]) -> Shown:
    """Read the quoted texts; the first opening line's code rules, nothing else closes a fence."""
    system = "\n".join(text_of(m.get("content")) for m in messages if m.get("role") == "system")
    user = "\n".join(text_of(m.get("content")) for m in messages if m.get("role") == "user")
    opening = _OPENING.search(user)
    if opening is None:
        return Shown(None, None, system, user)
    code = opening.group(1)
    first = "query" if opening.group().startswith("<<<query") else "page"
    second = "page" if first == "query" else "query"
    texts: dict[str, str | None] = {}
    around = user
    for what in (first, second):
        texts[what], around = _quoted(around, what, code)
    return Shown(texts["page"], texts["query"], system, around)
