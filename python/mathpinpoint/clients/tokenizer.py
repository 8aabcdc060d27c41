"""The tokenizer that says how long a document is; it needs no torch."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mathpinpoint.clients.profiles import TokenizerProfile
from mathpinpoint.clients.weights import locate

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@cache
def load_tokenizer(profile: TokenizerProfile) -> "Tokenizer":
    """The tokenizer of `profile`, without truncation or padding, one per process."""
    from tokenizers import Tokenizer

    if profile.loader.startswith("hub:"):
        tokenizer = Tokenizer.from_pretrained(profile.loader.removeprefix("hub:"))
    else:
        file = Path(locate(profile.loader, "")) / "tokenizer.json"
        if not file.is_file():
            raise ValueError(f"{file} is missing: the tokenizer of {profile.model}")
        tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
