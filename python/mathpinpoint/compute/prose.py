r"""How a text is read before it is cut into match tokens: labels, lone capitals, moduli.

No character moves, so that spans of tokens are spans of the text. A page without formula marks
(Unicode, `<sup>`) writes its variables into the prose: a lone capital there is the `S` that
another page sets as `$S$`, so that prose keeps the case of lone letters. A guard that ignored
case instead could no longer tell `N` from `n`. Only "A" and "I" can be words; they are told by
their neighbours, and in doubt they are letters.
"""

from collections.abc import Iterable

import regex

_START = r"(?:\A|(?<=\n[ ]*\n)|(?<=[.:;?!)\]$][ ]*\n))[ ]*(?:[-*]\ |\#{1,6}\ )?\**"
_END = r"(?=\s*+\S)"  # a label has something to name: it is not a text's last line
_MARKED = r"[ ]*[.:)][*]*(?:\s|\Z)|[*]*[ ]*\n"
_LABEL = regex.compile(
    rf"""{_START}(?:
        (?P<part>\((?:[a-h]|i{{1,3}}|i?v|vi{{0,3}})\))(?=[ ]+[\p{{L}}$])
      | (?:problem|exercise|example|question|task|puzzle|method|step|part|way|approach|proof
          |attempt|hint|remark|comment|reply|post|case)
        [ ](?P<named>\#?[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)(?={_MARKED}){_END}
      | (?P<word>solution|answer)[ ](?P<value>\#?[0-9]{{1,2}})
        (?={_MARKED}){_END}(?P<colon>[ ]*:)?
    )""",
    regex.VERBOSE | regex.IGNORECASE | regex.VERSION1,
)
_VERBS = r"(?!(?:is|are|be|and|or|of|in|to|with|at|on|has|have|by|then|lies|meets?|contains)\b)"
_OPENS = r"(?<!\p{L}[ ]A)"  # no word stands before it: a sentence, a quotation, an item begins
_WORD_LETTER = regex.compile(
    rf"""(?<![\p{{L}}\p{{N}}_\\])(?:
        A{_OPENS}(?=\s+{_VERBS}\p{{Lu}}?\p{{Ll}})
      | A(?=\s+(?:\p{{Lu}}{{2}}|\$))
      | I(?=['’]|\s+(?!(?:is|of|be)\b)\p{{L}}{{2}})
    )
    | (?<=\p{{L}}{{2}}['’])[ST](?!\p{{L}})""",
    regex.VERBOSE | regex.VERSION1,
)
_MODULUS = regex.compile(
    r"\((?:\\(?:text|mathrm|operatorname)\{)?[ ]*\\?b?mod(?![\p{L}])[^()\n]{1,80}+\)",
)


def read_prose(text: str, formulas: Iterable[tuple[int, int]]) -> str:
    r"""Returns the text, as long as before, without label numbers, and with "A" and "I" that are
    words in lower case; "(mod 7)" stands without its brackets, as `\pmod{7}` does.

    A label is "Problem 33." or "(a)" at the start of a paragraph, or after a line that ends a
    sentence. "Answer 5" may also be a result: it is a label with a colon, or where it counts on
    from an "Answer 4" (or is the first) and more text follows. A changed label is no changed
    problem; every other number stays.
    """
    spans = [*_label_spans(text)]
    letters = [hit.start() for hit in _WORD_LETTER.finditer(text)]
    moduli = [hit.span() for hit in _MODULUS.finditer(text)]
    if not (spans or letters or moduli):
        return text
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    for at in letters:
        chars[at] = chars[at].lower()
    for start, end in formulas:
        chars[start:end] = text[start:end]
    for start, end in moduli:
        chars[start] = chars[end - 1] = " "
    return "".join(chars)


def _label_spans(text: str) -> Iterable[tuple[int, int]]:
    """Yields (start, end) of each label's number."""
    counted: dict[str, int] = {}
    for hit in _LABEL.finditer(text):
        if hit["word"] is None:
            yield hit.span("part" if hit["part"] else "named")
            continue
        word, number = hit["word"].lower(), int(hit["value"].lstrip("#"))
        if hit["colon"] or number == counted.get(word, 0) + 1:
            counted[word] = number
            yield hit.span("value")
