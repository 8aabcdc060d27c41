"""From tokens to signatures of 128 permutations: shingles, hashes, minima. Prints documents a second of each system."""

import json
import sys
import time
from collections.abc import Callable

from dedup.documents import SHINGLE_TOKENS, documents

from mathpinpoint.compute.minhash import minima
from mathpinpoint.compute.normalize import match_tokens
from mathpinpoint.compute.shingles import shingles

PERMUTATIONS, TRIES = 128, 3
Tokens = list[list[str]]


def ours(rows: Tokens) -> None:
    for tokens in rows:
        minima(shingles(tokens, size=SHINGLE_TOKENS), permutations=PERMUTATIONS, seed=1)


def joined(rows: Tokens) -> list[list[str]]:
    """Shingles as other programs take them: texts."""
    return [[" ".join(row[at : at + SHINGLE_TOKENS]) for at in range(len(row) - SHINGLE_TOKENS + 1)] for row in rows]


def rensa(rows: Tokens) -> None:
    from rensa import RMinHash

    RMinHash.digest_matrix_from_token_sets(joined(rows), PERMUTATIONS, 1)


def datasketch(rows: Tokens) -> None:
    import xxhash
    from datasketch import MinHash

    grams = ([gram.encode() for gram in row] for row in joined(rows))
    list(MinHash.bulk(grams, num_perm=PERMUTATIONS, hashfunc=xxhash.xxh32_intdigest))


def rate(run: Callable[[Tokens], None], rows: Tokens) -> float:
    """Documents a second, the best of some tries."""
    seconds = []
    for _ in range(TRIES):
        start = time.perf_counter()
        run(rows)
        seconds.append(time.perf_counter() - start)
    return len(rows) / min(seconds)


SYSTEMS = {"mathpinpoint": ours, "rensa": rensa, "datasketch": datasketch}

if __name__ == "__main__":
    made = [match_tokens(text) for text in documents(int(sys.argv[2]))[0]]
    SYSTEMS[sys.argv[1]](made[:10])  # compiled, imported
    print(json.dumps({"rate": rate(SYSTEMS[sys.argv[1]], made)}))
