"""Leaves of MathML (identifiers, numbers, operators, words) as LaTeX."""

import re
import unicodedata
from functools import lru_cache

from lxml import etree

from mathpinpoint.compute.extract import mathml_symbols as tables

_COMMAND_END = re.compile(r"\\[A-Za-z]+$")
_WIDTH = re.compile(r"(-?[\d.]+)\s*em")
_SPACE = re.compile(r"\s+")
_SPACING = re.compile(r"(?:\\[ ,;:!]|\\q?quad)\s*")
_BARS = {"∣": "|", "|": "|", "∥": r"\|", "‖": r"\|"}
_DOUBLE_BAR = ("∥", "‖")
_STRUCK = "\u0338"  # combining long solidus
_APPLY = "\u2061"


def local_name(element: etree._Element) -> str:
    """Name without namespace or prefix, lower case; '' of a comment."""
    return _local(element.tag)


@lru_cache(maxsize=4096)
def _local(tag: object) -> str:
    return tag.rsplit("}", 1)[-1].rsplit(":", 1)[-1].lower() if isinstance(tag, str) else ""


def text_of(element: etree._Element) -> str:
    """Text of an element without invisible operators, whitespace folded."""
    text = "".join(element.itertext()) if len(element) else element.text or ""
    text = " ".join(text.split())
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", " ".join(text.translate(tables.INVISIBLE).split()))


def is_space(latex: str) -> bool:
    """Whether LaTeX is spacing and nothing else."""
    return bool(_SPACING.fullmatch(latex))


def join(parts: list[str]) -> str:
    """Concatenate, with a space where a command would swallow the letter that follows."""
    joined: list[str] = []
    for part in parts:
        if not part:
            continue
        if joined and part[0].isalpha() and "\\" in joined[-1] and _COMMAND_END.search(joined[-1]):
            joined.append(" ")
        joined.append(part)
    return "".join(joined)


def symbols(text: str) -> str:
    """LaTeX of a run of characters, symbol by symbol."""
    return join([tables.SYMBOLS.get(c) or _plain_letter(c) for c in text])


def _plain_letter(char: str) -> str:
    """A mathematical alphanumeric as a letter in a font command; any other character as is."""
    if char.isascii():
        return char
    if (parts := unicodedata.normalize("NFD", char))[1:] == _STRUCK:
        return rf"\not{tables.SYMBOLS.get(parts[0], parts[0])}"
    if unicodedata.normalize("NFKC", char) == char:
        return char
    plain, name = unicodedata.normalize("NFKC", char), unicodedata.name(char, "")
    if len(plain) != 1 or not plain.isalnum():
        return char
    font = next((font for phrase, font in tables.NAMED_VARIANTS if phrase in name), None)
    letter = tables.SYMBOLS.get(plain, plain)
    return rf"\{font}{{{letter}}}" if font else letter


def identifier(element: etree._Element) -> str:
    """LaTeX of `mi`: a letter in its font, a function's command, or an operator's name."""
    text, variant = text_of(element), element.get("mathvariant")
    if text in tables.FUNCTIONS or not text:
        return "\\" + text if text else ""
    font = tables.VARIANTS.get(variant or "")
    if text in _BARS:
        return _BARS[text]
    if len(text) == 1:
        latex = symbols(text)
        if font and not (font == "mathrm" and not text.isascii()) and text.isalnum():
            return rf"\{font}{{{latex}}}"
        return latex
    if text == "mod":
        return r"\mod "
    if text.isascii() and text.isalpha():
        return rf"\{'operatorname' if not font or _is_applied(element) else font}{{{text}}}"
    if all(c.isalpha() or c.isspace() for c in text) and not font and text.isascii():
        return rf"\operatorname{{{text}}}".replace(" ", r"\,")
    return rf"\{font}{{{symbols(text)}}}" if font and text else symbols(text)


def _is_applied(element: etree._Element) -> bool:
    """Whether the sign of function application follows."""
    after = element.getnext()
    return after is not None and (after.text or "").strip() == _APPLY


def number(element: etree._Element) -> str:
    """LaTeX of `mn`."""
    font = tables.VARIANTS.get(element.get("mathvariant") or "")
    text = symbols(text_of(element)).replace(",", "{,}")
    return rf"\{font}{{{text}}}" if font and font != "mathrm" else text


def operator(element: etree._Element) -> str:
    """LaTeX of `mo`."""
    text = text_of(element)
    if text in tables.FUNCTIONS:
        return "\\" + text
    if text == "△":
        return r"\bigtriangleup"
    if text in _DOUBLE_BAR and element.get("fence"):
        return r"\|"
    if text == "∣" and element.get("fence"):
        return "|"
    if text == "mod":
        return r"\bmod "
    if len(text) > 1 and text.isascii() and text.isalpha():
        return rf"\operatorname{{{text}}}"
    return symbols(text)


def words(element: etree._Element) -> str:
    """LaTeX of `mtext` and `ms`: special characters escaped, spaces kept; spacing where it is nothing else."""
    raw = "".join(element.itertext())
    if raw in tables.SPACE_TEXTS:
        return tables.SPACE_TEXTS[raw]
    text = _SPACE.sub(" ", raw.translate(tables.INVISIBLE))
    if not text.strip():
        return r"\ " if text else ""
    escaped = re.sub(r"([%#&$_{}])", r"\\\1", text.replace("\\", r"\backslash "))
    return rf"\{tables.TEXT_FONTS.get(element.get('mathvariant') or '', 'text')}{{{escaped}}}"


def space(element: etree._Element) -> str:
    """LaTeX of `mspace`, by its width in em or by the width's name."""
    if element.get("linebreak") == "newline":
        return r"\\ "
    named = element.get("width", "")
    if named in tables.SPACE_NAMES:
        return tables.SPACE_NAMES[named]
    match = _WIDTH.match(named)
    width = float(match[1]) if match and match[1].count(".") < 2 and match[1] not in (".", "-", "-.") else 0.0
    if width < -0.1:
        return r"\!"
    return r"\qquad " if width >= 2 else r"\quad " if width >= 1 else r"\, " if width > 0.1 else ""


def first_children(element: etree._Element, count: int) -> list[etree._Element]:
    """The first `count` children; empty rows stand in for those that are missing."""
    found = [child for child in element if isinstance(child.tag, str)]
    return (found + [etree.Element("mrow") for _ in range(count)])[:count]


def lone_table(element: etree._Element) -> etree._Element | None:
    """The table that an element is, through rows and styles of one child, if it is one."""
    while local_name(element) in ("mrow", "mstyle", "mpadded") and len(element) == 1:
        element = element[0]
    return element if local_name(element) == "mtable" else None
