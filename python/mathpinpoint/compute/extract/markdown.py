"""Markdown and plain text: the text as a reader sees it, mathematics as tokens."""

import re
from collections.abc import Callable

_FRONT = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"(?m)^title:\s*[\"']?(.+?)[\"']?\s*$")
_HEADING = re.compile(r"(?m)^(?:#\s+(?P<hash>.+?)\s*#*|(?P<line>[^\n]+)\n=+)[ \t]*$")
_FENCE = re.compile(
    r"(?m)^(?P<fence>[ ]{0,3}(?:`{3,}|~{3,}))(?P<name>[^\n`]*)\n(?P<body>.*?)"
    r"(?:^(?P=fence)[`~]*[ \t]*$|\Z)",
    re.DOTALL,
)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^\n]+?)(?<!`)\1(?!`)")
_MATH_FENCES = ("math", "latex", "tex", "katex")
_GITHUB_MATH = re.compile(r"\$`([^`\n]+)`\$")
_DOUBLED = re.compile(r"\\\\([()])|(?m:^[ \t]*\\\\([\[\]])[ \t]*$)")  # `\\(x\\)`
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\]\n]+)\](?:\([^)\s]*(?:\s+\"[^\"\n]*\")?\)|\[[^\]\n]*\])")
_REFERENCE = re.compile(r"(?m)^[ ]{0,3}\[[^\]\n]+\]:\s+\S+.*$")
_AUTO_LINK = re.compile(r"<((?:https?|mailto):[^>\s]+)>")
_LINE_MARKS = re.compile(r"(?m)^[ ]{0,3}(?:#{1,6}[ \t]+|>[ \t]?(?:>[ \t]?)*)")
_RULE = re.compile(r"(?m)^[ ]{0,3}(?:[-*_][ \t]*){3,}$|^(?:=+|-{3,})[ \t]*$")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_\n]+?)(?<=\S)\1(?!\w)")
_STRUCK = re.compile(r"~~([^~\n]+)~~")
_ESCAPED = re.compile(r"\\([!\"#%&'*+,./:;<=>?@^_`{|}~-])")
_TAG = re.compile(r"</?(?:p|div|br|span|b|i|em|strong|center|details|summary|u|h[1-6])\b[^<>]*>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def markdown_text(
    text: str, keep: Callable[[str], str], mathematics: Callable[[str], str],
    put: Callable[[str, str, str], str],
) -> tuple[str, str]:
    """Text and title of a Markdown page.

    `keep` puts code out of reach and returns what stands for it; `mathematics` replaces formulas
    between delimiters, `put` keeps one formula.
    """
    text = text.replace("\r\n", "\n")
    title = ""
    if front := _FRONT.match(text):
        named = _FRONT_TITLE.search(front[1])
        title, text = named[1] if named else "", text[front.end() :]

    def fence(found: re.Match) -> str:
        if found["name"].strip().lower() in _MATH_FENCES:
            return put(found["body"], "tex", "display") + "\n"
        return keep(found["body"])

    text = _FENCE.sub(fence, text)
    text = _DOUBLED.sub(lambda found: "\\" + (found[1] or found[2]), text)
    text = _GITHUB_MATH.sub(lambda found: put(found[1], "tex", "inline"), text)
    text = mathematics(_CODE.sub(lambda found: keep(found[2]), text))
    heading = _HEADING.search(text)
    title = title or ((heading["hash"] or heading["line"]) if heading else "")
    return _without_marks(text), _without_marks(title)


def _without_marks(text: str) -> str:
    """Markdown without its marks: the text of links, of emphasis, of headings and quotes."""
    text = _REFERENCE.sub("", _COMMENT.sub("", text))
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _AUTO_LINK.sub(r"\1", text)
    text = _RULE.sub("", _LINE_MARKS.sub("", text))
    for pattern in (_EMPHASIS, _EMPHASIS, _UNDERLINED):
        text = pattern.sub(r"\2", text)
    return _ESCAPED.sub(r"\1", _TAG.sub("", _STRUCK.sub(r"\1", text)))
