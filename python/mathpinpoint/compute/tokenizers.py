r"""The tokenizers of the lexical routes, by the name that the policy gives them.

`math`: the match tokens of `normalize`, shared with duplicates and leakage. `\frac{a}{b}` is `\frac a b`, `x^2` is
`x ^ 2`, `x_1` is `x _ 1`, `2x` is `2 x`, `≤` is `\le`; words of prose are lower-cased, variables keep their case.
`ascii_words`: runs of ASCII letters and digits, lower-cased, as the reference pipelines have them: signs, operators
and commands' backslashes are lost, and letters of other scripts part words.
"""

import re
from collections.abc import Callable

from mathpinpoint.compute.normalize import NORM_VERSION, match_tokens

_ASCII_WORD = re.compile(r"[a-z0-9]+")


def ascii_words(text: str) -> list[str]:
    """Runs of ASCII letters and digits, lower-cased."""
    return _ASCII_WORD.findall(text.lower())


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"math": match_tokens, "ascii_words": ascii_words}
VERSIONS = {"math": NORM_VERSION, "ascii_words": "1"}


def tokenizer(name: str) -> Callable[[str], list[str]]:
    """The tokenizer of this name; raises ValueError naming those that there are."""
    if name not in TOKENIZERS:
        raise ValueError(f"There is no tokenizer {name!r}; seeds/policy/routes.csv may name {', '.join(TOKENIZERS)}.")
    return TOKENIZERS[name]
