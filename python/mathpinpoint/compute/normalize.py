"""The text forms: stored, canonical, match tokens and query key. None changes the mathematics.

Stored form: NFC, no invisible characters, one kind of space, at most one blank line, exponents
and indices written `^{…}` and `_{…}`, mathematics between `$…$` or `$$…$$` and a literal dollar
as `\\$`. A change of a form's rules changes its version; NORM_VERSION, stored with what the forms
made, names all three.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator

import regex

from mathpinpoint.compute.prose import read_prose
from mathpinpoint.compute.tokens import MATH, PROSE, RAW, RAW_ASCII

# The named forms: `text` (stored and canonical), `match_tokens` (read from it), `query_key`.
FORM_VERSIONS = {"text": "2", "match_tokens": "2", "query_key": "1"}
NORM_VERSION = "+".join(f"{form}-{version}" for form, version in FORM_VERSIONS.items())

_ENVIRONMENTS = "equation|align|alignat|gather|multline|eqnarray|displaymath|flalign"
_BARE_ENVIRONMENTS = ("equation", "displaymath")
_OPENING = regex.compile(rf"\\\\|\\[$()\[\]]|\$\$|\$|\\begin\{{(?:{_ENVIRONMENTS})\*?\}}")
_BODIES = {  # a blank line ends the search, save next to a delimiter of two characters
    "$": r"\$((?:[^\\$\n]++|\n(?!\s*\n)|\\(?![()\[\]\n]).|\\(?=\n))++)\$",
    "$$": r"\$\$\s*+((?:[^\\$\n]++|\\.|\$(?!\$)|\n(?!\s*\n)|\n\s*+(?=\$\$))++)\$\$",
    r"\(": r"\\\(\s*+((?:[^\\\n]++|\\(?!\)).|\n(?!\s*\n)|\n\s*+(?=\\\)))*+)\\\)",
    r"\[": r"\\\[\s*+((?:[^\\\n]++|\\(?!\]).|\n(?!\s*\n)|\n\s*+(?=\\\]))*+)\\\]",
    r"\b": rf"(\\begin\{{({_ENVIRONMENTS})(\*?)\}}(.{{0,20000}}?)\\end\{{\2\3\}})",
}
_BODY = {opening: regex.compile(body, regex.DOTALL) for opening, body in _BODIES.items()}
_CLOSING = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]", r"\b": r"\end"}
_INNER = re.compile(r"\\\\|\\\$|\\[()\[\]]|\$")  # no delimiter inside a formula
_INNER_SIGN = re.compile(r"\$|\\[()\[\]]")
_CURRENCY = regex.compile(r"[0-9][0-9.,]*[\s\-−﹣]+\p{L}{2,}(?:\s+\p{L}{2,}|[\s,.;:?!]*$)")

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ",
                         "0123456789+-=()niabcdefghjklmoprstuvwxyzT", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜⱼᵢᵣᵤᵥ",
                       "0123456789+-=()aeoxhklmnpstjiruv", strict=True))
_SCRIPTS = str.maketrans(_SUPERSCRIPTS | _SUBSCRIPTS)
_RAISED = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+")
_LOWERED = re.compile(f"[{''.join(_SUBSCRIPTS)}]+")
_FRACTIONS = {
    char: tuple(unicodedata.normalize("NFKC", char).split("\u2044"))
    for char in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
_FRACTION = re.compile(f"[{''.join(_FRACTIONS)}]")
_BLANKS, _BREAKS = re.compile(r"[ \t]+"), re.compile(r"\s*\n\s*")
_MINUS = str.maketrans("−﹣", "--")


def _characters() -> dict[int, str | None]:
    """The character map that holds in prose and mathematics alike; None deletes."""
    unseen = [*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x180E, *range(0x200B, 0x2010), 0xFEFF]
    unseen += [*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10)]
    found: dict[int, str | None] = dict.fromkeys([*unseen, *range(0xD800, 0xE000)])
    found |= {ord(char): " " for char in "\t\xa0\u1680\u202f\u205f\u3000"}
    found |= {code: " " for code in range(0x2000, 0x200B)}
    found |= {ord(char): "\n" for char in "\n\r\x0b\x0c\x85\u2028\u2029"}
    found |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    found |= {ord("＄"): r"\$", 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi"}
    return found | {0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}


_CHARACTERS = _characters()
_UNCOMMON = re.compile(r"[^\n\x20-\x7e]")
_MAPPED = re.compile("[" + "".join(re.escape(chr(code)) for code in sorted(_CHARACTERS) if code != ord("\n")) + "]+")
# What a text outside the stored form shows; a text that shows none of it is read as it is.
_UNSTORED = regex.compile(
    f"[{''.join(_SUPERSCRIPTS)}{''.join(_SUBSCRIPTS)}{''.join(_FRACTIONS)}"
    r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\uff01-\uff5e\ufb00-\ufb06"
    r"\p{M}]|\\[()\[\]]|\\begin\{"
)


def _looks_like_currency(body: str, follower: str) -> bool:
    """True of what stands between the dollars of 'costs $5 and $7' or '$5/$7'."""
    if not "0" <= body[:1] <= "9":
        return False
    return bool(follower.isdecimal() or follower in _FRACTIONS or _CURRENCY.match(body))


def _braced(parts: tuple[str, ...]) -> str:
    return "".join(f"{{{part}}}" for part in parts)


def _clean_body(body: str) -> str:
    r"""A formula's inside in stored form; a space guards a last backslash (`\ `)."""
    if _INNER_SIGN.search(body):
        body = _INNER.sub(lambda hit: hit[0] if hit[0] in (r"\\", r"\$") else "", body)
    if not body.isascii():
        body = body.translate(_MINUS)
        body = _FRACTION.sub(lambda hit: r"\frac" + _braced(_FRACTIONS[hit[0]]), body)
    if "  " in body or "\t" in body:
        body = _BLANKS.sub(" ", body)
    body = (_BREAKS.sub("\n", body) if "\n" in body else body).strip()
    trailing = len(body) - len(body.rstrip("\\"))
    return body + " " if trailing % 2 else body


def _clean_prose(prose: str) -> str:
    def spell(hit: re.Match) -> str:
        is_mixed = "0" <= prose[hit.start() - 1 : hit.start()] <= "9"
        return f"{' ' if is_mixed else ''}{'/'.join(_FRACTIONS[hit[0]])}"

    return prose if prose.isascii() else _FRACTION.sub(spell, prose)


def _inside(hit: regex.Match, opening: str) -> str:
    if opening == r"\b" and hit[2] in _BARE_ENVIRONMENTS:
        return hit[4]
    return hit[1]


def _formulas(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yields (start, end, opening, body) in order; opening '' is a delimiter without a partner."""
    position, unclosed = 0, set()
    while opened := _OPENING.search(text, position):
        start, position, opening = opened.start(), opened.end(), opened[0]
        if opening in (r"\\", r"\$"):
            continue
        kind = r"\b" if opening[:2] == r"\b" else opening
        hit = None
        if kind in _BODY and kind not in unclosed:
            hit = _BODY[kind].match(text, start)
            if hit is None and text.find(_CLOSING[kind], position) < 0:
                unclosed.add(kind)  # nothing closes it up to the end of the text
        if hit and not (kind == "$" and _is_prose(hit, text)):
            position = hit.end()
            yield start, position, kind, _inside(hit, kind)
        elif kind != r"\b":
            position = start + 1 if kind[0] == "$" else position
            yield start, position, "", r"\$" if kind[0] == "$" else kind[1]


def _is_prose(hit: regex.Match, text: str) -> bool:
    body = hit[1].strip()
    return not body or _looks_like_currency(body, text[hit.end() : hit.end() + 1])


def _wrapped(kind: str, body: str, follower: str) -> str:
    """The formula between dollars; braces keep a body from being read as currency."""
    if not body:
        return " "
    if kind in ("$", r"\("):
        return f"${{{body}}}$" if _looks_like_currency(body, follower) else f"${body}$"
    return f"$${body}$$"


def stored_text(text: str) -> str:
    """Returns the form that is stored, judged and embedded; idempotent."""
    if _UNCOMMON.search(text):
        text = text.replace("\r\n", "\n")
        text = unicodedata.normalize("NFC", _MAPPED.sub(lambda hit: hit[0].translate(_CHARACTERS), text))
        text = _RAISED.sub(lambda hit: f"^{{{hit[0].translate(_SCRIPTS)}}}", text)
        text = _LOWERED.sub(lambda hit: f"_{{{hit[0].translate(_SCRIPTS)}}}", text)
    text = _fold(text)
    parts, position = [], 0
    for start, end, kind, body in _formulas(text):
        parts.append(_clean_prose(text[position:start]))
        parts.append(_wrapped(kind, _clean_body(body), text[end : end + 1]) if kind else body)
        position = end
    parts.append(_clean_prose(text[position:]))
    return unicodedata.normalize("NFC", _fold("".join(parts)))


def _fold(text: str) -> str:
    """Folds spaces to one and newlines to at most two, and trims."""
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.replace(" \n", "\n").replace("\n ", "\n")
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip(" \n")


def math_spans(text: str) -> list[tuple[int, int]]:
    r"""Returns (start, end) of each formula with its delimiters, in order; `\$` opens none."""
    return [(start, end) for start, end, kind, _ in _formulas(text) if kind]


def _segments(text: str, formulas: list[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Yields (start, end, is_math) over the whole text, in order."""
    position = 0
    for start, end in formulas:
        if position < start:
            yield position, start, False
        yield start, end, True
        position = end
    if position < len(text):
        yield position, len(text), False


def canonical_text(text: str) -> str:
    """Returns the stored form on one line, prose lower-cased, mathematics as it is."""
    text = stored_text(text)
    parts = [
        text[start:end] if is_math else text[start:end].lower()
        for start, end, is_math in _segments(text, math_spans(text))
    ]
    return " ".join("".join(parts).split())


def match_tokens(text: str) -> list[str]:
    """Returns the tokens on which texts are compared, in order; brings the stored form itself."""
    if _UNSTORED.search(text):
        text = stored_text(text)
    tokens: list[str] = []
    formulas = math_spans(text)
    text = read_prose(text, formulas)
    find = (RAW_ASCII if text.isascii() else RAW).findall
    for start, end, is_math in _segments(text, formulas):
        meaning = MATH if is_math else PROSE
        for raw in find(text, start, end):
            tokens += meaning[raw]
    return tokens


def match_spans(text: str) -> list[tuple[str, int, int]]:
    """Returns (token, start, end) for each match token of a stored text, offsets into it."""
    formulas = math_spans(text)
    text = read_prose(text, formulas)
    return [
        (token, *hit.span())
        for start, end, is_math in _segments(text, formulas)
        for hit in RAW.finditer(text, start, end)
        for token in (MATH if is_math else PROSE)[hit[0]]
    ]


def query_key(text: str) -> str:
    """Returns NFKC, whitespace folded to one space, lower case: the key of exact leakage."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).lower()


def sha256_text(text: str) -> str:
    """Returns the sha256 of the text's UTF-8 bytes as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
