"""The index of a route: built once from its corpus, kept in hashed files that every process opens."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from mathpinpoint.compute import bm25, dense, graph, ngrams
from mathpinpoint.compute.tokenizers import VERSIONS, tokenizer
from mathpinpoint.land import index_files

Parameters = dict[str, float | str]
Source = pa.Table | Path
ROUTES = ("dense", "bm25", "ngram5")
QUERIES = "dense_queries"  # the vectors of the queries: kept like an index, never searched
MODULES = {"bm25": bm25, "ngram5": ngrams, "dense": dense, QUERIES: dense}
OF_THE_SEARCH = ("expansion_search",)  # parameters that change no index
INDEX_VERSION = "1"  # of what the index files hold
TEXTS = 1_000  # document texts held as Python strings at a time
MEND = "Move the shards of landed/embeddings that hold them away, then run `mathpinpoint land embeddings`."

_built: dict[str, tuple[str, Any]] = {}  # the last index of each route, by what it is made of


def prepared(*, documents: Source, parameters: Parameters, index_folder: Path | None = None, **options: Any) -> dict:
    """A loader's options with its corpus, and the vectors of its queries, as files that each process opens by itself.

    Without an `index_folder` they stay as they are.
    """
    if index_folder:
        documents = _files(options.get("route", "dense"), documents, parameters, index_folder)
        if options.get("query_vectors") is not None:
            options["query_vectors"] = _files(QUERIES, options["query_vectors"], parameters, index_folder)
    return {**options, "documents": documents, "parameters": parameters, "index_folder": index_folder}


def opened(route: str, source: Source | None, parameters: Parameters, folder: Path | None) -> Any:
    """The index of a route, or of QUERIES; kept in this process while what it is made of stays the same.

    `source` is a table or Parquet of (doc_id, doc_text), for dense of (doc_id, vector), for QUERIES of
    (query_id, vector); or the folder that `prepared` gave for it.
    """
    if route not in MODULES:
        raise ValueError(f"There is no route {route!r}. Routes are {', '.join(ROUTES)}.")
    is_files = isinstance(source, Path) and (source / index_files.MANIFEST).exists()
    made_of = str(source) if is_files else _made_of(route, source, parameters)
    if _built.get(route, ("",))[0] != made_of:
        if is_files:
            index = _loaded(route, source)
        elif folder:
            index = _loaded(route, _files(route, source, parameters, folder))
        else:
            index = _build(route, source, parameters)
        _built[route] = (made_of, index)
    return _built[route][1]


def vectors_of(vectors: dense.Vectors, asked: list[str]) -> np.ndarray:
    """The vectors of the queries, in their order; raises ValueError where one has none."""
    missing = [query_id for query_id in asked if query_id not in vectors.places]
    if missing:
        raise ValueError(
            f"{len(missing)} queries have no vector, the first is {missing[0]}. "
            "Run `mathpinpoint land embeddings`."
        )
    return vectors.matrix[[vectors.places[query_id] for query_id in asked]]


def _files(route: str, source: Source, parameters: Parameters, folder: Path) -> Path:
    """The folder of the index files, built where they are not there or not whole, in the place of older ones."""
    name = hashlib.sha256(_made_of(route, source, parameters).encode()).hexdigest()[:32]
    files = folder / f"{route}-{name}"
    if not index_files.load(files):
        index_files.save(files, *MODULES[route].stored(_build(route, source, parameters)))
        for old in folder.glob(f"{route}-*"):
            if old != files:
                shutil.rmtree(old, ignore_errors=True)
    return files


def _loaded(route: str, files: Path) -> Any:
    found = index_files.load(files)
    if not found:
        raise ValueError(f"The index {files} is not whole. Run the same command again: it is built anew.")
    return MODULES[route].restored(*found)


def _made_of(route: str, source: Source | None, parameters: Parameters) -> str:
    """What an index is made of: the corpus, the parameters, the versions of the code."""
    if source is None:
        raise ValueError("The dense route needs the vectors of its queries. Run `mathpinpoint land embeddings`.")
    versions = f"tokenizer {VERSIONS.get(parameters.get('tokenizer'))} index {INDEX_VERSION}"
    if route == "dense":
        versions += f" {graph.engine()}"
    made = sorted((name, value) for name, value in parameters.items() if name not in OF_THE_SEARCH)
    return f"{_digest(source)} {made} {versions}"


def _digest(source: Source) -> str:
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


def _build(route: str, source: Source, parameters: Parameters) -> Any:
    if route == QUERIES:
        return _vectors(_table(source, "query_id", "vector"))
    if route == "dense":
        return _with_graph(_vectors(_table(source, "doc_id", "vector")), parameters)
    table = _table(source, "doc_id", "doc_text")
    doc_ids, tokens = table.column("doc_id").to_pylist(), _tokens(table, parameters)
    if route == "ngram5":
        return ngrams.build(doc_ids, tokens, size=int(parameters["shingle_tokens"]))
    return bm25.build(
        doc_ids, tokens,
        k1=float(parameters["k1"]), b=float(parameters["b"]),
        bits=int(parameters["fixed_point_bits"]),
    )


def _with_graph(vectors: dense.Vectors, parameters: Parameters) -> dense.Vectors:
    """The vectors, with a graph where there are more of them than are searched exactly."""
    if len(vectors.doc_ids) <= int(parameters["max_exact_documents"]):
        return vectors
    made = graph.build(
        vectors.matrix, connectivity=int(parameters["connectivity"]), expansion_add=int(parameters["expansion_add"]),
        dtype=str(parameters["index_dtype"]),
    )
    return dense.Vectors(vectors.doc_ids, vectors.matrix, made)


def _table(source: Source, key: str, value: str) -> pa.Table:
    """The two columns, ordered by id; raises where an id repeats."""
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


def _vectors(table: pa.Table) -> dense.Vectors:
    """The vectors of a table of (id, vector) ordered by id; raises where sizes differ or a number is none."""
    ids, key, sizes = table.column(0).to_pylist(), table.column_names[0], pc.list_value_length(table.column(1))
    known = pc.unique(sizes)
    if len(known) > 1 or known.null_count:
        other = next(name for name, size in zip(ids, sizes.to_pylist(), strict=True) if size != known[0].as_py())
        raise ValueError(f"Vectors of {key} have sizes {known.to_pylist()}, the first of another is {other}'s. {MEND}")
    flat = [pc.list_flatten(chunk).to_numpy(zero_copy_only=False) for chunk in table[1].chunks]
    matrix = np.concatenate([*flat, np.zeros(0, np.float32)]).astype(np.float32, copy=False)
    matrix = matrix.reshape(len(ids), -1 if ids else 1)
    is_bad = ~np.isfinite(matrix).all(axis=1)
    if is_bad.any():
        raise ValueError(
            f"{is_bad.sum()} vectors of {key} hold NaN, infinity or null, the first is {ids[int(is_bad.argmax())]}'s. "
            f"{MEND}"
        )
    return dense.Vectors(ids, matrix)
