"""One route by one system at one size; prints its figures as a JSON object on the last line."""

import json
import os
import sys
import time
from collections.abc import Callable

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import corpus  # noqa: E402
import numpy as np  # noqa: E402

K1, B, BITS, K, GRAM = 1.2, 0.75, 18, 100, 5
LENGTHS = ((15, 30), (50, 70), (110, 220))
QUERIES, GRAM_QUERIES, DENSE_QUERIES, WARM, CHECKED, DIMENSIONS = 500, 2_000, 256, 3, 100, 256


def timed(work: Callable) -> tuple[float, object]:
    """CPU seconds of this process, and what the work gave."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def bm25_figures(build: Callable, search: Callable, size: int) -> dict[str, float]:
    """Build an index with `build(words)`, ask it with `search(index, queries)`."""
    texts = corpus.documents(size)
    words = corpus.words(texts)
    seconds, index = timed(lambda: build(words))
    figures = {"CPU seconds to build the index": seconds}
    for low, high in LENGTHS:
        asked = corpus.words(corpus.queries(texts, QUERIES, low, high))
        search(index, asked[:WARM])
        seconds, _ = timed(lambda asked=asked: search(index, asked))
        figures[f"queries of {low}-{high} tokens a CPU second"] = QUERIES / seconds
        if (low, high) == LENGTHS[1]:
            figures["CPU seconds of 1,000 queries"] = seconds / QUERIES * 1000
    return figures


def bm25_ours(size: int) -> dict[str, float]:
    from mathpinpoint.compute import bm25

    ids = [f"d_{number:09d}" for number in range(size)]
    return bm25_figures(
        lambda words: bm25.build(ids, words, k1=K1, b=B, bits=BITS),
        lambda index, queries: bm25.search(index, queries, k=K), size,
    )


def bm25_checked(size: int) -> dict[str, float]:
    """The scores and lists of some queries against the formula in float64, every document scored."""
    from mathpinpoint.compute import bm25

    texts = corpus.documents(size)
    ids = [f"d_{number:09d}" for number in range(size)]
    index = bm25.build(ids, corpus.words(texts), k1=K1, b=B, bits=BITS)
    asked = corpus.queries(texts, CHECKED, *LENGTHS[1])
    hits = bm25.search(index, corpus.words(asked), k=K)
    lengths = np.array([len(text) for text in texts])
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    owners = np.repeat(np.arange(size), lengths)
    flat = np.concatenate(texts)
    order = np.argsort(flat, kind="stable")
    starts = np.searchsorted(flat[order], np.arange(corpus.VOCABULARY + 1))
    worst, found, n_equal = 0.0, 0, 0
    for query, count in zip(asked, hits.counts, strict=True):
        scores = np.zeros(size)
        for term, weight in zip(*np.unique(query, return_counts=True), strict=True):
            docs, tf = np.unique(owners[order[starts[term] : starts[term + 1]]], return_counts=True)
            idf = np.log(1 + (size - len(docs) + 0.5) / (len(docs) + 0.5))
            scores[docs] += weight * idf * tf / (tf + norm[docs])
        docs, fixed = hits.docs[found : found + count], hits.scores[found : found + count] / 2**BITS
        found += count
        worst = max(worst, float(np.max(np.abs(fixed - scores[docs]) / scores[docs])))
        best = np.lexsort((np.arange(size), -scores))[:K]
        n_equal += len(np.intersect1d(best, docs)) / K
    return {"largest relative error to float64": worst, "overlap with float64's top 100": n_equal / CHECKED}


def bm25_bm25s(size: int) -> dict[str, float]:
    import bm25s

    def build(words):
        index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numba")
        index.index(words, show_progress=False)
        return index

    return bm25_figures(
        build, lambda index, queries: index.retrieve(queries, k=K, show_progress=False, n_threads=1), size
    )


def bm25_tantivy(size: int) -> dict[str, float]:
    import tantivy

    def build(words):
        schema = tantivy.SchemaBuilder().add_text_field("text", stored=False, tokenizer_name="whitespace").build()
        index = tantivy.Index(schema)
        writer = index.writer(heap_size=500_000_000, num_threads=1)
        for tokens in words:
            writer.add_document(tantivy.Document(text=" ".join(tokens)))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return schema, index.searcher()

    def search(index, queries):
        schema, searcher = index
        for tokens in queries:
            terms = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", token)) for token in tokens]
            searcher.search(tantivy.Query.boolean_query(terms), limit=K)

    return bm25_figures(build, search, size)


def ngram5_ours(size: int) -> dict[str, float]:
    from mathpinpoint.compute import ngrams

    texts = corpus.documents(size)
    asked = corpus.words(corpus.queries(texts, GRAM_QUERIES, *LENGTHS[1]))
    ids = [f"d_{number:09d}" for number in range(size)]
    seconds, index = timed(lambda: ngrams.build(ids, corpus.words(texts), size=GRAM))
    ngrams.search(index, asked[:WARM], bits=BITS, k=K)
    filtering, (grams, wanted, *places) = timed(lambda: ngrams.filtered(index, asked))
    scoring, hits = timed(lambda: ngrams.scored(index, grams, wanted, *places, bits=BITS, k=K))
    sql = sql_lists(index, asked, CHECKED)
    ends, equal = np.cumsum(hits.counts), 0
    for number in range(CHECKED):
        mine = slice(ends[number] - hits.counts[number], ends[number])
        equal += list(zip(hits.docs[mine].tolist(), hits.matches[mine].tolist(), strict=True)) == sql[number]
    return {
        "CPU seconds to hash the documents": seconds,
        "CPU seconds to filter by the queries' n-grams": filtering,
        "queries a CPU second": len(asked) / scoring,
        "CPU seconds of 1,000 queries": (filtering + scoring) / len(asked) * 1000,
        "lists equal to SQL's": equal / CHECKED,
    }


SQL = """
with shared as (
    select query, doc, weight from postings inner join asked using (gram) inner join weights using (gram)
),
scored as (select query, doc, sum(weight)::bigint as score, count(*) as n_match from shared group by query, doc)
select query, doc, n_match from scored
qualify row_number() over (partition by query order by score desc, n_match desc, doc) <= $k
order by query, score desc, n_match desc, doc
"""


def sql_tables(index, asked):
    """A connection with the postings that the queries leave, the queries' n-grams, and the weights."""
    import duckdb
    import pyarrow as pa

    from mathpinpoint.compute.shingles import shingles

    connection = duckdb.connect(config={"threads": 1})
    grams = [shingles(tokens, size=GRAM) for tokens in asked]
    query = np.repeat(np.arange(len(grams)), [len(each) for each in grams])
    docs = np.repeat(np.arange(len(index.doc_ids)), np.diff(index.starts))
    tables = {
        "asked": pa.table({"query": query, "gram": np.concatenate(grams)}),
        "every": pa.table({"doc": docs, "gram": index.grams}),
    }
    for name, table in tables.items():
        connection.register(f"{name}_arrow", table)
        connection.execute(f"create table {name} as from {name}_arrow")
    connection.execute("create table postings as select * from every semi join asked using (gram)")
    connection.execute(
        "create table weights as select gram, round($scale * ln(1 + ($n - count(*) + 0.5) / (count(*) + 0.5)))::bigint"
        " as weight from postings group by gram",
        {"scale": 2**BITS, "n": len(index.doc_ids)},
    )
    return connection


def sql_lists(index, asked, count: int) -> list[list[tuple[int, int]]]:
    """The (document, matches) that SQL finds for the first queries, best first."""
    lists: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    connection = sql_tables(index, asked)
    connection.execute("delete from asked where query >= $count", {"count": count})
    for query, doc, n_match in connection.execute(SQL, {"k": K}).fetchall():
        lists[query].append((doc, n_match))
    return lists


def ngram5_sql(size: int) -> dict[str, float]:
    from mathpinpoint.compute import ngrams

    texts = corpus.documents(size)
    asked = corpus.words(corpus.queries(texts, GRAM_QUERIES, *LENGTHS[1]))
    index = ngrams.build([f"d_{number:09d}" for number in range(size)], corpus.words(texts), size=GRAM)
    filtering, connection = timed(lambda: sql_tables(index, asked))
    seconds, _ = timed(lambda: connection.execute(SQL, {"k": K}).fetchnumpy())
    return {
        "CPU seconds to filter by the queries' n-grams": filtering,
        "queries a CPU second": len(asked) / seconds,
        "CPU seconds of 1,000 queries": (filtering + seconds) / len(asked) * 1000,
    }


def vectors(count: int, seed: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def dense_ours(size: int) -> dict[str, float]:
    from mathpinpoint.compute import dense

    documents, asked, order = vectors(size, 1), vectors(DENSE_QUERIES, 2), np.arange(size)
    seconds, (docs, scores) = timed(lambda: dense.top_k(asked, documents, order, k=K, block=8192))
    exact = np.rint(asked[:CHECKED].astype(np.float64) @ documents.T.astype(np.float64) * dense.SCALE).astype(np.int64)
    equal = sum(
        np.array_equal(np.lexsort((order, -row))[:K], docs[number]) for number, row in enumerate(exact)
    )
    return {
        "queries a CPU second": DENSE_QUERIES / seconds, "CPU seconds of 1,000 queries": seconds / DENSE_QUERIES * 1000,
        "lists equal to float64's": equal / CHECKED,
    }


def dense_numpy(size: int) -> dict[str, float]:
    documents, asked = vectors(size, 1), vectors(DENSE_QUERIES, 2)

    def search():
        scores = asked @ documents.T
        best = np.argpartition(-scores, K, axis=1)[:, :K]
        return np.take_along_axis(best, np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1), axis=1)

    seconds, _ = timed(search)
    return {
        "queries a CPU second": DENSE_QUERIES / seconds, "CPU seconds of 1,000 queries": seconds / DENSE_QUERIES * 1000,
    }


SYSTEMS = {
    ("bm25", "mathpinpoint"): bm25_ours, ("bm25", "bm25s"): bm25_bm25s, ("bm25", "tantivy"): bm25_tantivy,
    ("bm25 checked", "mathpinpoint"): bm25_checked,
    ("ngram5", "mathpinpoint"): ngram5_ours, ("ngram5", "sql join"): ngram5_sql,
    ("dense", "mathpinpoint"): dense_ours, ("dense", "numpy"): dense_numpy,
}

if __name__ == "__main__":
    print(json.dumps(SYSTEMS[sys.argv[1], sys.argv[2]](int(sys.argv[3]))))
