"""Plain overlap of word n-grams with any evaluation item, as published pipelines decontaminate."""

import re

WORD = re.compile(r"\w+")
SIZES = {"word 13-grams": 13, "word 8-grams": 8}


def grams(text: str, size: int) -> set[tuple[str, ...]]:
    """The n-grams of the words of a text, lower case; a text with fewer words has none."""
    words = WORD.findall(text.lower())
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def hits(queries: dict[str, str], items: dict[tuple[str, str], str], size: int) -> list[tuple[str, tuple[str, str]]]:
    """(query, item) of every pair that shares an n-gram."""
    holders: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for item, text in items.items():
        for gram in grams(text, size):
            holders.setdefault(gram, []).append(item)
    return [
        (name, item) for name, text in queries.items()
        for item in sorted({item for gram in grams(text, size) for item in holders.get(gram, ())})
    ]
