"""MinHash bands: documents that share a band hash are candidates to be near-duplicates.

The permutations are affine maps of 32 bits, h ↦ a·h + b modulo 2^32 with odd a, over shingle
hashes that the MurmurHash3 finalizer has mixed (the scheme `affine32` of datasketch 2).
"""

from functools import cache

import numpy as np
import xxhash

from mathpinpoint.compute.shingles import SEED as SHINGLE_SEED

_CHUNK = 4096  # shingles permuted at a time, so that they stay in the processor's cache
_EMPTY = np.uint32(0xFFFFFFFF)


def scheme(*, shingle_tokens: int, permutations: int, bands: int, rows: int, seed: int) -> str:
    """Names the scheme of a signature: signatures of different schemes are not comparable."""
    return (
        f"minhash-affine32/xxh3_64-{SHINGLE_SEED}/shingle-{shingle_tokens}"
        f"/permutations-{permutations}/bands-{bands}x{rows}/seed-{seed}"
    )


@cache
def _maps(permutations: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The factors (odd) and terms of the maps, uint32, each as a column."""
    drawn = [xxhash.xxh3_64_intdigest(f"map {at}".encode(), seed) for at in range(permutations)]
    values = np.array(drawn, dtype=np.uint64)[:, None]
    factors = (values >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
    return factors, (values & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _mix(shingles: np.ndarray) -> np.ndarray:
    """The 32-bit MurmurHash3 finalizer over the low halves."""
    mixed = (shingles.view(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        mixed = (mixed ^ (mixed >> np.uint32(shift))) * np.uint32(factor)
    return mixed ^ (mixed >> np.uint32(16))


def minima(shingles: np.ndarray, *, permutations: int, seed: int) -> np.ndarray:
    """Returns the least value of the int64 shingle hashes under each permutation, uint32."""
    factors, terms = _maps(permutations, seed)
    least = np.full(permutations, _EMPTY)
    mixed = _mix(np.ascontiguousarray(shingles))
    for start in range(0, len(mixed), _CHUNK):
        permuted = mixed[None, start : start + _CHUNK] * factors + terms
        np.minimum(least, permuted.min(axis=1), out=least)
    return least


def bands(
    shingles: np.ndarray, *, permutations: int, bands: int, rows: int, seed: int
) -> np.ndarray:
    """Returns one int64 hash a band, over the band's number and its `rows` minima.

    A document without shingles has no bands. Raises ValueError unless bands * rows is at most
    the number of permutations.
    """
    if not 0 < bands * rows <= permutations:
        raise ValueError(
            f"{bands} bands of {rows} rows need {bands * rows} permutations, the scheme has"
            f" {permutations}. Correct the row in seeds/policy/dedup_rules.csv."
        )
    if not len(shingles):
        return np.zeros(0, dtype=np.int64)
    least = minima(shingles, permutations=permutations, seed=seed).astype("<u4")
    hashes = [
        xxhash.xxh3_64_intdigest(least[band * rows : (band + 1) * rows].tobytes(), band)
        for band in range(bands)
    ]
    return np.array(hashes, dtype=np.uint64).view(np.int64)
