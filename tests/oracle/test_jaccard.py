"""MinHash bands against exact Jaccard, and against another implementation of MinHash."""

import random

import numpy as np
import pytest
from datasketch import MinHash

from mathpinpoint.compute.minhash import bands, minima
from mathpinpoint.compute.shingles import shingles

SHAPE = {"permutations": 128, "bands": 16, "rows": 8, "second_bands": 8, "second_rows": 5, "seed": 1}
N_DOCUMENTS, N_TOKENS, N_WORDS = 2_000, (60, 400), 3_000
MAX_EDITS = 14


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    n_shared = np.isin(a, b, assume_unique=True).sum()
    return n_shared / (len(a) + len(b) - n_shared)


@pytest.fixture(scope="module")
def pairs() -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Shingles of documents and of edited copies, with their exact Jaccard."""
    rng, found = random.Random(3), []
    for _ in range(N_DOCUMENTS):
        tokens = [f"w{rng.randrange(N_WORDS)}" for _ in range(rng.randint(*N_TOKENS))]
        edited = list(tokens)
        for _ in range(rng.randint(0, MAX_EDITS)):
            at = rng.randrange(len(edited))
            edited[at : at + rng.randint(0, 2)] = [f"w{rng.randrange(N_WORDS)}"]
        a, b = shingles(tokens, size=5), shingles(edited, size=5)
        found.append((a, b, jaccard(a, b)))
    return found


def test_bands_find_the_near_duplicates(pairs, capsys):
    near = [(a, b) for a, b, exact in pairs if exact >= 0.80]
    n_found = sum(bool(np.isin(bands(a, **SHAPE), bands(b, **SHAPE)).any()) for a, b in near)
    just = [(a, b) for a, b, exact in pairs if 0.80 <= exact < 0.85]
    n_just = sum(bool(np.isin(bands(a, **SHAPE), bands(b, **SHAPE)).any()) for a, b in just)
    with capsys.disabled():
        print(f"\nrecall of J >= 0.80: {n_found / len(near):.4f} of {len(near)};"
              f" of 0.80 to 0.85: {n_just / len(just):.4f} of {len(just)}")
    assert n_found / len(near) >= 0.99


def test_bands_of_far_pairs_seldom_meet(pairs):
    far = [(a, b) for a, b, exact in pairs if exact < 0.45]
    n_found = sum(bool(np.isin(bands(a, **SHAPE), bands(b, **SHAPE)).any()) for a, b in far)
    assert len(far) > 50
    assert n_found / len(far) < 0.10


def test_minima_estimate_jaccard_as_well_as_datasketch(pairs, capsys):
    def peer(grams: np.ndarray) -> np.ndarray:
        sketch = MinHash(num_perm=128, scheme="affine32", hashfunc=int)
        sketch.update_batch((grams.view(np.uint64) & np.uint64(0xFFFFFFFF)).tolist())
        return sketch.hashvalues

    def ours(grams: np.ndarray) -> np.ndarray:
        return minima(grams, permutations=128, seed=1)

    errors = {
        name: np.array([(sketch(a) == sketch(b)).mean() - exact for a, b, exact in pairs])
        for name, sketch in (("ours", ours), ("datasketch", peer))
    }
    spread = {name: float(np.sqrt((error**2).mean())) for name, error in errors.items()}
    with capsys.disabled():
        print(f"\nerror of the estimated Jaccard: {spread}, bias {errors['ours'].mean():+.4f}")
    assert spread["ours"] <= 1.1 * spread["datasketch"]
    assert abs(errors["ours"].mean()) < 0.005
