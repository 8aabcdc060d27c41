"""Near-duplicates by other programs, as their documentation has it. Prints one JSON object: `peers.py SYSTEM N`."""

import json
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from dedup.documents import LEAST, SHINGLE_TOKENS, Sets, documents, told_apart
from measure import clock

PERMUTATIONS, BANDS, ROWS = 128, 16, 8


def word_shingles(texts: Iterable[str]) -> list[list[str]]:
    """5-grams of words parted by spaces."""
    rows = (text.split(" ") for text in texts)
    return [[" ".join(words[at : at + SHINGLE_TOKENS]) for at in range(len(words) - 4)] for words in rows]


def datasketch(texts: list[str]) -> Callable[[int], int]:
    """MinHash in bulk (xxh32) and the LSH index of 16 bands of 8 rows, then a query a document."""
    import xxhash
    from datasketch import MinHash, MinHashLSH

    grams = ([gram.encode() for gram in row] for row in word_shingles(texts))
    sketches = MinHash.bulk(grams, num_perm=PERMUTATIONS, hashfunc=xxhash.xxh32_intdigest)
    index, sets = MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS)), Sets()
    for number, sketch in enumerate(sketches):
        for other in index.query(sketch):
            if sketches[other].jaccard(sketch) >= LEAST:
                sets.join(other, number)
        index.insert(number, sketch)
    return sets.of


def rensa(texts: list[str]) -> Callable[[int], int]:
    """R-MinHash in bulk and its LSH index of 16 bands, then a query a document."""
    from rensa import RMinHash, RMinHashLSH

    index, sets = RMinHashLSH(threshold=LEAST, num_perm=PERMUTATIONS, num_bands=BANDS), Sets()
    for number, row in enumerate(word_shingles(texts)):
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update(row)
        for other in index.query(sketch):
            sets.join(other, number)
        index.insert(number, sketch)
    return sets.of


def rensa_flags(texts: list[str]) -> Callable[[int], int]:
    """Its fastest way, a matrix of digests and one pass over it: it says which rows have a partner, not which one."""
    from rensa import RMinHash, RMinHashLSH

    matrix = RMinHash.digest_matrix_from_token_sets(word_shingles(texts), PERMUTATIONS, 1)
    index = RMinHashLSH(threshold=LEAST, num_perm=PERMUTATIONS, num_bands=BANDS)
    flags = index.query_duplicate_flags_matrix_one_shot(matrix)
    return lambda number: -1 if flags[number] else number


def datatrove(texts: list[str]) -> Callable[[int], int]:
    """Its MinHash pipeline with its defaults (14 buckets of 8 hashes, its own words and normal form).

    sha1 is its other hash: this version of it hands text to xxhash, which xxhash 4 refuses.
    """
    from datatrove.data import Document
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.utils.hashing import HashConfig
    from loguru import logger

    logger.remove()
    config = MinhashConfig(hash_config=HashConfig(hash_fc="sha1"))
    with tempfile.TemporaryDirectory(prefix="dedup") as folder:
        signatures, buckets, found = (f"{folder}/{name}" for name in ("signatures", "buckets", "clusters"))
        rows = (Document(text=text, id=str(number)) for number, text in enumerate(texts))
        MinhashDedupSignature(output_folder=signatures, config=config).run(rows, rank=0, world_size=1)
        for bucket in range(config.num_buckets):
            step = MinhashDedupBuckets(input_folder=signatures, output_folder=buckets, config=config)
            step.run(None, bucket, config.num_buckets)
        step = MinhashDedupCluster(input_folder=buckets, output_folder=found, config=config, save_cluster_id=True)
        step.run(None, 0, 1)
        cluster = dict(struct.iter_unpack("<II", Path(found, "000000.clusters").read_bytes()))
    return lambda number: cluster.get(number, -1 - number)


SYSTEMS = {"datasketch": datasketch, "rensa": rensa, "rensa flags": rensa_flags, "datatrove": datatrove}

if __name__ == "__main__":
    named, size = sys.argv[1], int(sys.argv[2])
    made, pairs = documents(size)
    with clock() as seen:
        grouped = SYSTEMS[named](made)
    print(json.dumps({"wall": seen.wall, "cpu": seen.cpu, **told_apart(pairs, grouped)}))
