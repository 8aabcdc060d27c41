"""Search: the documents that a route finds for each query."""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from mathpinpoint.compute import bm25, dense, ngrams
from mathpinpoint.compute.postings import Hits
from mathpinpoint.compute.tokenizers import VERSIONS, tokenizer
from mathpinpoint.land import index_files
from mathpinpoint.schemas import LANDED

SCHEMA = pa.schema([field for field in LANDED["runs"].schema if field.name != "landed_at"])
Parameters = dict[str, float | str]
LEXICAL = {"bm25": bm25, "ngram5": ngrams}
INDEX_VERSION = "1"  # of what the index files hold
TEXTS = 1_000  # document texts held as Python strings at a time
QUERIES = 4_096  # searched together
DENSE_BLOCK = 8_192  # documents of one matrix product
DENSE_QUERIES = 128  # queries of one matrix product
DENSE_SPARE = 2  # times the depth: candidates whose cosine is computed again, exactly

_built: dict[str, tuple[str, object]] = {}  # the last index of each route, by what it is made of


def rows(
    batches: Iterator[pa.RecordBatch],
    *,
    route: str,
    documents: pa.Table | Path,
    depth: int,
    parameters: Parameters,
    engine: str,
    query_vectors: pa.Table | Path | None = None,
    index_folder: Path | None = None,
) -> Iterator[pa.RecordBatch]:
    """Reads the work list of runs (one route). Lands its top `depth` per query, ranks from 1.

    `documents` is the searched corpus, a table or Parquet of (doc_id, doc_text), for dense of
    (doc_id, vector) with `query_vectors` (query_id, vector). `parameters` is the route's row of the seed `routes`:
    fixed_point_bits; of lexical routes the tokenizer, and k1 and b, or shingle_tokens. A query without hits is
    one row of null rank. Rows do not depend on how the work list is cut, nor on threads.
    A lexical index is built once, kept in the process and, where `index_folder` is named, in files, while corpus,
    parameters and tokenizer stay the same.
    """
    bits = int(parameters["fixed_point_bits"])
    index = _index(route, documents, parameters, index_folder)
    vectors = _vectors(_table(query_vectors, "query_id", "vector")) if route == "dense" else None
    for batch in _grouped(batches):
        others = set(batch.column("route").to_pylist()) - {route}
        if others:
            raise ValueError(f"The work list of route {route} holds rows of {sorted(others)}.")
        hits = _search(route, index, batch, vectors, depth, parameters)
        yield _landed(batch, hits, index.doc_ids, engine, bits)


def _grouped(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of QUERIES: a search costs less per query in large groups."""
    held, n_held = [], 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, QUERIES - n_held)
            held, n_held, batch = [*held, part], n_held + part.num_rows, batch.slice(part.num_rows)
            if n_held == QUERIES:
                yield pa.concat_batches(held)
                held, n_held = [], 0
    if held:
        yield pa.concat_batches(held)


@dataclass(frozen=True)
class _Vectors:
    """Vectors (n, d) and their ids, ascending."""

    doc_ids: list[str]
    matrix: np.ndarray

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.doc_ids)}


def _index(route: str, documents: pa.Table | Path, parameters: Parameters, folder: Path | None):
    if route not in ("dense", "bm25", "ngram5"):
        raise ValueError(f"There is no route {route!r}. Routes are dense, bm25 and ngram5.")
    versions = f"tokenizer {VERSIONS.get(parameters.get('tokenizer'))} index {INDEX_VERSION}"
    made_of = f"{_digest(documents)} {sorted(parameters.items())} {versions}"
    if _built.get(route, ("",))[0] != made_of:
        files = folder and route in LEXICAL and folder / f"{route}-{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"
        _built[route] = (made_of, _from_files(route, files, documents, parameters))
    return _built[route][1]


def _from_files(route: str, files: Path | None, documents: pa.Table | Path, parameters: Parameters):
    """The index as it is in the files; where it is not there, built, and written in the place of older ones."""
    if files and (found := index_files.load(files)):
        return LEXICAL[route].restored(*found)
    index = _build(route, documents, parameters)
    if files:
        index_files.save(files, *LEXICAL[route].stored(index))
        for old in files.parent.glob(f"{route}-*"):
            if old != files:
                shutil.rmtree(old, ignore_errors=True)
    return index


def _build(route: str, documents: pa.Table | Path, parameters: Parameters):
    if route == "dense":
        return _vectors(_table(documents, "doc_id", "vector"))
    table = _table(documents, "doc_id", "doc_text")
    doc_ids, tokens = table.column("doc_id").to_pylist(), _tokens(table, parameters)
    if route == "ngram5":
        return ngrams.build(doc_ids, tokens, size=int(parameters["shingle_tokens"]))
    return bm25.build(
        doc_ids, tokens,
        k1=float(parameters["k1"]), b=float(parameters["b"]),
        bits=int(parameters["fixed_point_bits"]),
    )


def _digest(source: pa.Table | Path) -> str:
    """What the corpus is: the files with their times, or the content of a table."""
    digest = hashlib.sha256()
    if isinstance(source, Path):
        for file in sorted(source.rglob("*.parquet")) if source.is_dir() else [source]:
            found = file.stat()
            digest.update(f"{file.resolve()} {found.st_size} {found.st_mtime_ns}\n".encode())
    else:
        for batch in source.to_batches():
            digest.update(batch.serialize())
    return digest.hexdigest()


def _table(source: pa.Table | Path | None, key: str, value: str) -> pa.Table:
    """The two columns, ordered by id; raises where an id repeats."""
    if source is None:
        raise ValueError(f"The dense route needs a table of ({key}, {value}).")
    if isinstance(source, Path):
        source = ds.dataset(source, format="parquet").to_table(columns=[key, value])
    table = source.select([key, value]).sort_by(key)
    if pc.count_distinct(table.column(key)).as_py() != table.num_rows:
        raise ValueError(f"{key} repeats among the {table.num_rows} rows to search.")
    return table


def _tokens(table: pa.Table, parameters: Parameters) -> Iterator[list[str]]:
    tokens = tokenizer(parameters["tokenizer"])
    for batch in table.select(["doc_text"]).to_batches(max_chunksize=TEXTS):
        for text in batch.column(0).to_pylist():
            yield tokens(text)


def _vectors(table: pa.Table) -> _Vectors:
    """The vectors of a table of (id, vector) ordered by id; raises where sizes differ."""
    ids, sizes = table.column(0).to_pylist(), pc.unique(pc.list_value_length(table.column(1)))
    if len(sizes) > 1 or sizes.null_count:
        raise ValueError(f"Vectors of {table.column_names[0]} have sizes {sizes.to_pylist()}.")
    flat = [pc.list_flatten(chunk).to_numpy(zero_copy_only=False) for chunk in table[1].chunks]
    matrix = np.concatenate([*flat, np.zeros(0, np.float32)]).astype(np.float32, copy=False)
    return _Vectors(ids, matrix.reshape(len(ids), -1 if ids else 1))


def _search(route, index, batch: pa.RecordBatch, vectors, depth: int, parameters: Parameters) -> Hits:
    bits = int(parameters["fixed_point_bits"])
    if route == "dense":
        return _dense(index, vectors, batch.column("query_id").to_pylist(), depth, bits)
    queries = [tokenizer(parameters["tokenizer"])(text) for text in batch.column("query_text").to_pylist()]
    if route == "bm25":
        return bm25.search(index, queries, k=depth)
    return ngrams.search(index, queries, bits=bits, k=depth)


def _dense(index: _Vectors, vectors: _Vectors, asked: list[str], depth: int, bits: int) -> Hits:
    """Top of the blocked product, cosines of its candidates computed again in float64.

    A float32 product differs with the shape of the batch; the second one decides the ranks.
    """
    missing = [query_id for query_id in asked if query_id not in vectors.places]
    if missing:
        raise ValueError(
            f"{len(missing)} queries have no vector, the first is {missing[0]}. "
            "Run `mathpinpoint land embeddings`."
        )
    order, docs, scores = np.arange(len(index.doc_ids)), [], []  # ids ascend with their numbers
    for start in range(0, len(asked), DENSE_QUERIES):
        some = [vectors.places[query_id] for query_id in asked[start : start + DENSE_QUERIES]]
        queries = vectors.matrix[some]
        near, _ = dense.top_k(queries, index.matrix, order, k=depth * DENSE_SPARE, block=DENSE_BLOCK)
        for query, candidates in zip(queries, near, strict=True):
            exact = index.matrix[candidates].astype(np.float64) @ query.astype(np.float64)
            fixed = np.rint(np.ldexp(exact, bits)).astype(np.int64)
            best = np.lexsort((candidates, -fixed))[:depth]
            docs.append(candidates[best])
            scores.append(fixed[best])
    counts = np.array([len(found) for found in docs], dtype=np.int64)
    joined = [np.concatenate([*arrays, np.zeros(0, np.int64)]) for arrays in (docs, scores)]
    return Hits(counts, *joined, None)


def _landed(batch, hits: Hits, doc_ids: list[str], engine: str, bits: int):
    """The hits as rows, one row of nulls for a query without any."""
    n_rows = np.maximum(hits.counts, 1)
    query_of = np.repeat(np.arange(batch.num_rows), n_rows)
    first = np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
    is_hit = np.repeat(hits.counts > 0, n_rows)

    def spread(values: np.ndarray) -> pa.Array:
        wide = np.zeros(len(is_hit), dtype=values.dtype)
        wide[is_hit] = values
        return pa.array(wide, mask=~is_hit)

    names = pa.array([doc_ids[number] for number in hits.docs.tolist()], pa.string())
    number = spread(np.arange(len(hits.docs)))
    columns = {
        "query_id": batch.column("query_id").take(query_of),
        "route": batch.column("route").take(query_of),
        "fingerprint": batch.column("fingerprint").take(query_of),
        "engine": pa.array([engine] * len(query_of), pa.string()),
        "rank": pa.array(np.arange(len(query_of)) - first + 1, mask=~is_hit),
        "doc_id": names.take(number),
        "score_fixed": spread(hits.scores),
        "score": spread(np.ldexp(hits.scores.astype(np.float64), -bits)),
        "n_match": pa.nulls(len(query_of), pa.int64()) if hits.matches is None else spread(hits.matches),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in SCHEMA.names], schema=SCHEMA)
