"""MinHash bands: documents that share a band hash are candidates to be near-duplicates.

The permutations are affine maps of 32 bits, h ↦ a·h + b modulo 2^32 with odd a, over shingle
hashes that the MurmurHash3 finalizer has mixed (the scheme `affine32` of datasketch 2).
"""

from functools import cache

import numpy as np
import xxhash
from numba import njit

from mathpinpoint.compute.shingles import SEED as SHINGLE_SEED


def scheme(
    *, shingle_tokens: int, permutations: int, bands: int, rows: int, second_bands: int, second_rows: int, seed: int
) -> str:
    """Names the scheme of a signature: signatures of different schemes are not comparable."""
    second = f"+{second_bands}x{second_rows}" if second_bands else ""
    return (
        f"minhash-affine32/xxh3_64-{SHINGLE_SEED}/shingle-{shingle_tokens}"
        f"/permutations-{permutations}/bands-{bands}x{rows}{second}/seed-{seed}"
    )


@cache
def _maps(permutations: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The factors (odd) and terms of the maps, uint32."""
    drawn = [xxhash.xxh3_64_intdigest(f"map {at}".encode(), seed) for at in range(permutations)]
    values = np.array(drawn, dtype=np.uint64)
    factors = (values >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
    return factors, (values & np.uint64(0xFFFFFFFF)).astype(np.uint32)


@njit(nogil=True, cache=True)
def _minima(shingles, factors, terms):
    """The least of factor * mixed shingle + term under each map; all of them uint32."""
    mixed = np.empty(shingles.size, dtype=np.uint32)
    for at in range(shingles.size):  # the 32-bit MurmurHash3 finalizer over the low half
        value = np.uint32(shingles[at] & 0xFFFFFFFF)
        value = np.uint32((value ^ (value >> np.uint32(16))) * np.uint32(0x85EBCA6B))
        value = np.uint32((value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35))
        mixed[at] = value ^ (value >> np.uint32(16))
    least = np.empty(factors.size, dtype=np.uint32)
    for number in range(factors.size):
        factor, term, lowest = factors[number], terms[number], np.uint32(0xFFFFFFFF)
        for at in range(mixed.size):
            lowest = min(lowest, np.uint32(mixed[at] * factor + term))
        least[number] = lowest
    return least


def minima(shingles: np.ndarray, *, permutations: int, seed: int) -> np.ndarray:
    """Returns the least value of the int64 shingle hashes under each permutation, uint32."""
    return _minima(np.ascontiguousarray(shingles), *_maps(permutations, seed))


def bands(
    shingles: np.ndarray, *, permutations: int, bands: int, rows: int, second_bands: int, second_rows: int, seed: int
) -> np.ndarray:
    """Returns one int64 hash a band, over the band's number and its minima.

    The first `bands` are of `rows` minima each; `second_bands` more, of `second_rows` each, begin again at the first
    minimum (0 of them: no second banding). A document without shingles has no bands. Raises ValueError for a banding
    that needs more minima than there are permutations.
    """
    for n_bands, n_rows in ((bands, rows), (second_bands, second_rows)):
        if n_bands * n_rows > permutations or not 0 < bands * rows:
            raise ValueError(
                f"{n_bands} bands of {n_rows} rows need {n_bands * n_rows} permutations, the scheme has"
                f" {permutations}. Correct the row in seeds/policy/dedup_rules.csv."
            )
    if not len(shingles):
        return np.zeros(0, dtype=np.int64)
    least = minima(shingles, permutations=permutations, seed=seed).astype("<u4").tobytes()
    width, second_width = rows * 4, second_rows * 4  # bytes of a band
    pieces = [least[at * width : (at + 1) * width] for at in range(bands)]
    pieces += [least[at * second_width : (at + 1) * second_width] for at in range(second_bands)]
    hashes = [xxhash.xxh3_64_intdigest(piece, number) for number, piece in enumerate(pieces)]
    return np.array(hashes, dtype=np.uint64).view(np.int64)
