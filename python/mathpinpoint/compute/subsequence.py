"""The longest common subsequence of two texts in tokens, fast: each token is one character."""

from collections.abc import Iterable

from rapidfuzz.distance import LCSseq

_SURROGATES = range(0xD800, 0xE000)  # no character of a text


def letters(texts: Iterable[str | None]) -> dict[str | None, str]:
    """Maps each text (tokens joined by one space; null and '' have none) to one character a token.

    Equal tokens are equal characters within one call, and only there. Raises ValueError where the texts hold
    more distinct tokens than there are characters (about a million).
    """
    alphabet: dict[str, str] = {}
    spelt: dict[str | None, str] = {}
    for text in texts:
        if text not in spelt:
            tokens = text.split(" ") if text else []
            spelt[text] = "".join([alphabet.get(token) or _new_letter(alphabet, token) for token in tokens])
    return spelt


def _new_letter(alphabet: dict[str, str], token: str) -> str:
    code = len(alphabet)
    alphabet[token] = letter = chr(code if code < _SURROGATES.start else code + len(_SURROGATES))
    return letter


def lcs_length(one: str, other: str) -> int:
    """Length of the longest common subsequence of two strings of letters."""
    return LCSseq.similarity(one, other)
