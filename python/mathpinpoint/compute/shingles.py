"""Shingles: the distinct token n-grams of a text, as stable 64-bit hashes."""

import numpy as np
import xxhash

SEED = 20240229
_MULTIPLIER = np.uint64(0xFF51AFD7ED558CCD)  # of the MurmurHash3 finalizer
_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
_CACHE_LIMIT = 500_000


class _TokenHashes(dict):
    """Token to the xxh3_64 of its UTF-8 bytes; remembers what it worked out."""

    def __missing__(self, token: str) -> int:
        if len(self) > _CACHE_LIMIT:
            self.clear()
        found = xxhash.xxh3_64_intdigest(token.encode("utf-8", "surrogatepass"), SEED)
        self[token] = found
        return found


_TOKENS = _TokenHashes()


def shingles(tokens: list[str], *, size: int) -> np.ndarray:
    """Returns the hashes of the distinct n-grams of `size` tokens, int64, ascending.

    A text shorter than `size` is one shingle, the whole of it; a text without tokens has none.
    Hashes are the same on every machine and in every process.
    """
    if not tokens:
        return np.zeros(0, dtype=np.int64)
    hashes = np.fromiter(map(_TOKENS.__getitem__, tokens), dtype=np.uint64, count=len(tokens))
    width = min(size, len(hashes))
    n_grams = len(hashes) - width + 1
    mixed = np.full(n_grams, width, dtype=np.uint64)
    for at in range(width):
        mixed = (mixed + _INCREMENT) ^ hashes[at : at + n_grams]
        mixed = (mixed ^ (mixed >> _SHIFT)) * _MULTIPLIER
    return np.unique((mixed ^ (mixed >> _SHIFT)).view(np.int64))
