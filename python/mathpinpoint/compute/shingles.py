"""Shingles: the distinct token n-grams of a text, as stable 64-bit hashes."""

import numpy as np
import xxhash
from numba import njit

SEED = 20240229
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


@njit(nogil=True, cache=True)
def _n_grams(hashes, width):
    """One int64 hash per n-gram, in the order of the text; mixed as in MurmurHash3's finalizer."""
    multiplier, increment = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0x9E3779B97F4A7C15)
    shift = np.uint64(32)
    found = np.empty(hashes.size - width + 1, dtype=np.int64)
    for start in range(found.size):
        mixed = np.uint64(width)
        for at in range(start, start + width):
            mixed = (mixed + increment) ^ hashes[at]
            mixed = (mixed ^ (mixed >> shift)) * multiplier
        found[start] = np.int64(mixed ^ (mixed >> shift))
    return found


def shingles(tokens: list[str], *, size: int) -> np.ndarray:
    """Returns the hashes of the distinct n-grams of `size` tokens, int64, ascending.

    A text shorter than `size` is one shingle, the whole of it; a text without tokens has none.
    Hashes are the same on every machine and in every process.
    """
    if not tokens:
        return np.zeros(0, dtype=np.int64)
    hashes = np.fromiter(map(_TOKENS.__getitem__, tokens), dtype=np.uint64, count=len(tokens))
    found = _n_grams(hashes, min(size, len(hashes)))
    found.sort()
    is_first = np.empty(len(found), dtype=bool)
    is_first[0] = True
    np.not_equal(found[1:], found[:-1], out=is_first[1:])
    return found[is_first]
