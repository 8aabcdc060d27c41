"""A small corpus and its searches, cut into shards of all three routes, and what workers do to them.

The functions are here because a worker imports them by name.
"""

import os
import random
import signal
from pathlib import Path

DIMENSIONS, N_DOCUMENTS, N_QUERIES, SHARD = 16, 90, 24, 8
PARAMETERS = {
    "dense": {
        "fixed_point_bits": 20, "max_exact_documents": 50, "connectivity": 16, "expansion_add": 64,
        "expansion_search": 64, "index_dtype": "f16",
    },
    "bm25": {"k1": 1.2, "b": 0.75, "fixed_point_bits": 18, "tokenizer": "math"},
    "ngram5": {"fixed_point_bits": 18, "shingle_tokens": 5, "tokenizer": "math"},
}


def texts(count: int, seed: int) -> list[str]:
    """Sentences of a few words, so that many documents share terms and 5-grams."""
    draw = random.Random(seed)
    words = ["prime", "sum", "angle", "root", "limit", "odd", "square", "circle"]
    return [" ".join(draw.choices(words[: 2 + number % 6], k=30)) for number in range(count)]


def vectors(key: str, ids: list[str], seed: int):
    import numpy as np
    import pyarrow as pa

    drawn = np.random.default_rng(seed).normal(size=(len(ids), DIMENSIONS)).astype(np.float32)
    unit = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return pa.table({key: ids, "vector": pa.array(list(unit), pa.list_(pa.float32()))})


def options(folder: Path) -> dict[str, dict]:
    """The options of the loader by route, as a run prepares them."""
    import pyarrow as pa

    from mathpinpoint.shards import prepared

    doc_ids = [f"d_{number:03d}" for number in range(N_DOCUMENTS)]
    documents = {
        "dense": vectors("doc_id", doc_ids, 1),
        **dict.fromkeys(("bm25", "ngram5"), pa.table({"doc_id": doc_ids, "doc_text": texts(N_DOCUMENTS, 3)})),
    }
    asked = {"dense": {"query_vectors": vectors("query_id", query_ids(), 2)}, "bm25": {}, "ngram5": {}}
    return {
        route: prepared("runs", {
            "route": route, "documents": documents[route], "depth": 10, "parameters": PARAMETERS[route],
            "index_folder": folder, **asked[route],
        })
        for route in PARAMETERS
    }


def query_ids() -> list[str]:
    return [f"p_{number:03d}" for number in range(N_QUERIES)]


def pieces() -> list[tuple[str, object]]:
    """The shards of the work lists of all routes, each with its route."""
    import pyarrow as pa

    from mathpinpoint.schemas import WORK
    from mathpinpoint.shards import shards

    found = []
    for route in PARAMETERS:
        columns = [[route] * N_QUERIES, query_ids(), [f"f_{route}_{name}" for name in query_ids()],
                   [text[:60] for text in texts(N_QUERIES, 4)], ["0" * 64] * N_QUERIES]
        batch = pa.RecordBatch.from_arrays([pa.array(column, pa.string()) for column in columns], schema=WORK["runs"])
        found += [(route, shard) for shard in shards([batch], SHARD)]
    return found


def land(home: Path, options: dict[str, dict], fatal: int | None, piece: tuple[int, str, object]) -> int:
    """Land a numbered piece, and note that it was tried; the first try of `fatal` kills its process."""
    from mathpinpoint.shards import land_shard

    number, route, shard = piece
    noted = home / f"tried-{number}-{len(list(home.glob(f'tried-{number}-*')))}"
    noted.touch()
    if number == fatal and noted.name.endswith("-0"):
        os.kill(os.getpid(), signal.SIGKILL)
    return land_shard(home, "runs", options[route], shard)


def die_at(fatal: int, number: int) -> int:
    """Kill the process, each time, at one number."""
    if number == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    """Raise what a loader raises at data that it cannot take."""
    raise ValueError(f"Number {number} cannot be landed.")
