"""Landed hits and the upstream tables at a share of the reference release, straight into a home folder.

The models from `searches` on are the project's own. `corpus.documents`, `queries.queries` and `queries.screened` are
tables of the same columns made here in their place: their models would need the texts of millions of pages.
"""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scale import shape

from mathpinpoint.warehouse import Warehouse

SHARD_QUERIES, BATCH_QUERIES = 32_768, 512
ROUTES = pa.array(["dense", "bm25", "ngram5"])
LANDED_AT = datetime(2026, 1, 1, tzinfo=UTC)
TOKENS_SHORT, TOKENS_LONG = 100, 100_000


def ids(prefix: str, count: int, seed: int) -> list[str]:
    """Sorted ids like the project's: a letter and 24 hex digits."""
    texts = (hashlib.sha256(f"{seed}|{prefix}|{number}".encode()).hexdigest()[:24] for number in range(count))
    return sorted(f"{prefix}_{text}" for text in texts)


class Web:
    """The queries, documents and hits of one share, all drawn from the seed."""

    def __init__(self, share: float, seed: int = shape.SEED):
        self.n_queries, n_documents = shape.sizes(share)
        self.n_documents = shape.prime_from(n_documents)
        self.query_ids = pa.array(ids("p", self.n_queries, seed))
        self.doc_ids = pa.array(ids("d", self.n_documents, seed))
        self.templates = shape.templates(seed)
        draw = np.random.default_rng([seed, 1])
        self.template = draw.integers(0, shape.N_TEMPLATES, self.n_queries)
        self.start = draw.integers(0, self.n_documents, self.n_queries)
        self.step = draw.integers(1, self.n_documents, self.n_queries)

    def documents_of(self, query: np.ndarray, slot: np.ndarray) -> np.ndarray:
        """Document numbers of slots: never two of one query the same."""
        return (self.start[query] + slot * self.step[query]) % self.n_documents

    def own_documents(self) -> np.ndarray:
        """The number of each query's own page."""
        return self.documents_of(np.arange(self.n_queries), self.templates.own_slot[self.template])

    def n_new(self) -> int:
        """Fused candidates beyond the dense cut; an own page lies within the dense cut or in no list."""
        return int(self.templates.n_new[self.template].sum())

    def hits(self, first: int, last: int, fingerprints: pa.Array) -> pa.Table:
        """The hits of queries first .. last - 1 by query, route and rank; `fingerprints` three a query."""
        queries = np.arange(first, last)
        kinds = self.template[first:last]
        begins, counts = self.templates.starts[kinds], np.diff(self.templates.starts)[kinds]
        local = np.repeat(np.arange(last - first), counts)
        rows = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(begins, counts)
        route, rank, slot = (getattr(self.templates, name)[rows] for name in ("route", "rank", "slot"))
        score = np.array([1.0, 40.0, 90.0])[route] / (1 + 0.01 * rank)
        keys = pa.DictionaryArray.from_arrays
        return pa.table({
            "query_id": keys(pa.array(local, pa.int32()), self.query_ids[first:last]),
            "route": keys(pa.array(route, pa.int32()), ROUTES),
            "fingerprint": keys(
                pa.array(local * 3 + route, pa.int32()), fingerprints[3 * first : 3 * last]
            ),
            "engine": keys(pa.array(np.zeros(len(rows), np.int32)), pa.array(["generated"])),
            "rank": pa.array(rank, pa.int64()),
            "doc_id": self.doc_ids.take(pa.array(self.documents_of(queries[local], slot))),
            "score_fixed": pa.array(np.rint(score * 2**20).astype(np.int64)),
            "score": pa.array(score),
            "n_match": pa.array(101 - rank, pa.int64(), mask=route < 2),
            "landed_at": pa.array([LANDED_AT] * len(rows[:1]), pa.timestamp("us", tz="UTC")).take(
                pa.array(np.zeros(len(rows), np.int32))
            ),
        })


def upstream(home: Path, web: Web) -> None:
    """The tables in place of `documents`, `queries` and `screened`, and the landed token counts."""
    warehouse = Warehouse(home)
    warehouse.create()
    is_long = np.random.default_rng([shape.SEED, 2]).random(web.n_documents) < shape.LONG_SHARE
    documents = pa.table({"doc_id": web.doc_ids, "is_long": pa.array(is_long)})
    queries = pa.table({"query_id": web.query_ids, "source_doc_id": web.doc_ids.take(pa.array(web.own_documents()))})
    connection = duckdb.connect(str(warehouse.file))
    for schema in ("corpus", "queries"):
        connection.execute(f"create schema if not exists {schema}")
    connection.register("documents_in", documents)
    connection.register("queries_in", queries)
    for statement in UPSTREAM:
        connection.execute(statement)
    counts = connection.sql(
        "select doc_id, (select tokenizer from staging.active_policy) as tokenizer,"
        f" cast(case when is_long then {TOKENS_LONG} else {TOKENS_SHORT} end as bigint) as n_tokens"
        " from documents_in order by doc_id"
    ).to_arrow_table()
    connection.close()
    warehouse.land("token_counts", "generated", counts.combine_chunks().to_batches(), {})


UPSTREAM = (
    """create or replace table corpus.documents as
    select doc_id, 'p_' || substr(doc_id, 3) as page_id, 'A page' as title,
        'Solution ' || doc_id || ': put the numbers in, then read the value off.' as text,
        cast(80 as bigint) as n_chars, false as is_multi_problem, cast(1 as bigint) as n_pages
    from documents_in""",
    """create or replace table queries.queries as
    select query_id, query_text, sha256(query_text) as query_sha256, source_doc_id, false as is_merged_away,
        true as is_from_page_question, 'none' as edit_ops, cast(1 as double) as copied_share
    from (select *, 'What is the value of problem ' || query_id || '?' as query_text from queries_in)""",
    """create or replace table queries.screened as
    select query_id, query_text, query_sha256, source_doc_id as own_doc_id, source_doc_id, is_merged_away,
        cast(null as varchar) as reason
    from queries.queries""",
)


def land_hits(home: Path, web: Web) -> int:
    """Shards of `landed.runs`, each of a range of queries in order. Returns the number of hits."""
    found = Warehouse(home).table(
        "select fingerprint from retrieval.searches order by query_id,"
        " list_position(['dense', 'bm25', 'ngram5'], route)"
    )
    fingerprints = found.column("fingerprint").combine_chunks()
    total = 0
    for number, (first, last) in enumerate(shape.ranges(web.n_queries, SHARD_QUERIES)):
        path = home / "landed" / "runs" / f"generated-{number:04d}.parquet"
        beside = path.with_name(f".{path.name}.tmp")
        rows, writer = 0, None
        for low, high in shape.ranges(last - first, BATCH_QUERIES):
            batch = web.hits(first + low, first + high, fingerprints)
            writer = writer or pq.ParquetWriter(
                beside, batch.schema, compression="zstd",
                use_dictionary=[name for name in batch.schema.names if name != "doc_id"],
            )
            writer.write_table(batch)
            rows += batch.num_rows
        writer.add_key_value_metadata({"manifest": json.dumps({"rows": rows})})
        writer.close()
        beside.rename(path)
        total += rows
    return total
