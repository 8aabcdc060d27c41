"""Hits of three routes shaped like those of a large release, landed as the routes' loaders land them.

A query's pool is POOL documents with a latent order; each route sees that order through noise of its own, so that the
lists overlap as those of real routes do. Deterministic by seed.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa

from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import Warehouse

FULL_QUERIES, FULL_DOCUMENTS = 2_032_033, 3_676_820
POOL, DEPTH, SEED = 240, 100, 7
NOISE = {"dense": 0.5, "bm25": 1.0, "ngram5": 1.0}
SHORT_LISTS = {"ngram5": 52}  # the fewest hits of a query; the others have DEPTH
OWN_OUTSIDE = 0.26  # share of the queries whose own page is the last of their pool
CHUNK = 16_384  # queries of one shard of each route


def ids(prefix: str, n: int) -> np.ndarray:
    """n distinct ids of 26 bytes, ascending."""
    rng = np.random.default_rng([SEED, len(prefix) + ord(prefix[0])])
    numbers = np.unique(rng.integers(0, 2**63, size=n + n // 1000 + 16, dtype=np.int64))[:n]
    halves = np.stack([numbers.astype(">u8").view(np.uint8).reshape(n, 8)[:, :8]], axis=1).reshape(n, 8)
    tail = rng.integers(0, 256, size=(n, 4), dtype=np.uint8)
    digits = np.frombuffer(np.hstack([halves, tail]).tobytes().hex().encode(), dtype="S24")
    return np.char.add(prefix.encode(), digits)


def pool(numbers: np.ndarray, n_documents: int) -> tuple[np.ndarray, np.ndarray]:
    """(first, step) of each query's pool: slot j is document (first + j * step) % n_documents, all distinct."""
    mixed = (numbers.astype(np.uint64) + np.uint64(SEED)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(31)
    first = (mixed % np.uint64(n_documents)).astype(np.int64)
    return first, 1 + (mixed >> np.uint64(40)).astype(np.int64) % (n_documents // (POOL + 1))


def own_documents(numbers: np.ndarray, n_documents: int) -> np.ndarray:
    """The number of each query's own page."""
    first, step = pool(numbers, n_documents)
    is_outside = (numbers * 2_654_435_761 % 1_000) < OWN_OUTSIDE * 1_000
    return (first + np.where(is_outside, POOL - 1, 0) * step) % n_documents


def hits(route: str, numbers: np.ndarray, n_documents: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row of its query, rank from 1, document) of each hit, ordered by query and rank."""
    rng = np.random.default_rng([SEED, sorted(NOISE).index(route), int(numbers[0])])
    keys = np.log(np.arange(POOL, dtype=np.float32) + 4) + NOISE[route] * rng.gumbel(
        size=(len(numbers), POOL)
    ).astype(np.float32)
    best = np.argpartition(keys, DEPTH, axis=1)[:, :DEPTH]
    best = np.take_along_axis(best, np.argsort(np.take_along_axis(keys, best, axis=1), axis=1), axis=1)
    first, step = pool(numbers, n_documents)
    documents = (first[:, None] + best * step[:, None]) % n_documents
    counts = np.full(len(numbers), DEPTH)
    if least := SHORT_LISTS.get(route):
        counts = rng.integers(least, DEPTH + 1, size=len(numbers))
    kept = np.arange(DEPTH) < counts[:, None]
    ranks = np.broadcast_to(np.arange(1, DEPTH + 1), kept.shape)
    return np.repeat(np.arange(len(numbers)), counts), ranks[kept], documents[kept]


def fingerprint(route: str) -> str:
    """The fingerprint of all searches of a route."""
    return hashlib.md5(f"scale {SEED} {route}".encode()).hexdigest()


def land_runs(warehouse: Warehouse, query_ids: pa.Array, doc_ids: pa.Array) -> int:
    """Land every hit; gives how many there are."""
    n_hits = 0
    for start in range(0, len(query_ids), CHUNK):
        numbers = np.arange(start, min(start + CHUNK, len(query_ids)))
        for route in NOISE:
            query, rank, document = hits(route, numbers, len(doc_ids))
            batch = _batch(route, query_ids.take(pa.array(query + start)), rank, doc_ids.take(pa.array(document)))
            warehouse.land("runs", f"{route}-{start:08d}", [batch], {})
            n_hits += len(rank)
    return n_hits


def _batch(route: str, query_ids: pa.Array, rank: np.ndarray, doc_ids: pa.Array) -> pa.RecordBatch:
    fixed = (2**20 // (rank + 1)).astype(np.int64)
    columns = {
        "query_id": query_ids, "route": _same(route, len(rank)), "fingerprint": _same(fingerprint(route), len(rank)),
        "engine": _same("local", len(rank)), "rank": pa.array(rank.astype(np.int64)), "doc_id": doc_ids,
        "score_fixed": pa.array(fixed), "score": pa.array(np.ldexp(fixed.astype(np.float64), -20)),
        "n_match": pa.array(rank.astype(np.int64)) if route == "ngram5" else pa.nulls(len(rank), pa.int64()),
    }
    schema = pa.schema([field for field in LANDED["runs"].schema if field.name != "landed_at"])
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def _same(value: str, n: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, pa.string()), n)


def land_rows(warehouse: Warehouse, table: str, shard: str, batches: Iterator[pa.RecordBatch]) -> int:
    """Land rows that have every column of the table but `landed_at`."""
    schema = pa.schema([field for field in LANDED[table].schema if field.name != "landed_at"])
    return warehouse.land(table, shard, (batch.select(schema.names).cast(schema) for batch in batches), {})


def texts(values: np.ndarray) -> pa.Array:
    return pa.array(values).cast(pa.string())


def now() -> datetime:
    return datetime.now(UTC)


def folder_bytes(folder: Path) -> int:
    """Bytes of the files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
