"""A release in the layouts of TREC tools and of BEIR; judged zeros are kept."""

import json
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pyarrow.parquet as pq

from mathpinpoint.release.layout import ReleaseError, shard_paths
from mathpinpoint.release.staging import staged

ROUTES = ("dense", "bm25", "ngram5", "fused")
ROWS = 10_000  # rows read at a time


def export_trec(release: Path, folder: Path, *, replace: bool = False) -> Path:
    """Write `qrels.txt` and, for each route, `run.<route>.txt`, whole or not at all.

    qrels: 'query 0 document label', every pair with a label. Runs: 'query Q0 document rank score
    tag' of the released pairs that the route returned, by rank; the score is 1/rank, since tools
    that sort by score break ties by document, and not all as the route did.
    """
    with staged(folder, replace=replace) as staging:
        with (staging / "qrels.txt").open("w", encoding="utf-8") as qrels:
            for row in _rows(release, "judgments", ["qid", "did", "label"]):
                if row["label"] is not None:
                    qrels.write(f"{_id(row['qid'])} 0 {_id(row['did'])} {row['label']}\n")
        for route in ROUTES:
            with (staging / f"run.{route}.txt").open("w", encoding="utf-8") as run:
                run.writelines(_run(release, route))
    return folder


def export_beir(release: Path, folder: Path, *, replace: bool = False) -> Path:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels/train.tsv`, whole or not at all."""
    with staged(folder, replace=replace) as staging:
        with (staging / "corpus.jsonl").open("w", encoding="utf-8") as corpus:
            for row in _rows(release, "corpus", ["did", "text"]):
                corpus.write(_line({"_id": row["did"], "title": "", "text": row["text"]}))
        with (staging / "queries.jsonl").open("w", encoding="utf-8") as queries:
            for row in _rows(release, "queries", ["qid", "text"]):
                queries.write(_line({"_id": row["qid"], "text": row["text"]}))
        (staging / "qrels").mkdir()
        with (staging / "qrels" / "train.tsv").open("w", encoding="utf-8") as qrels:
            qrels.write("query-id\tcorpus-id\tscore\n")
            for row in _rows(release, "judgments", ["qid", "did", "label"]):
                if row["label"] is not None:
                    qrels.write(f"{_id(row['qid'])}\t{_id(row['did'])}\t{row['label']}\n")
    return folder


def _run(release: Path, route: str) -> Iterator[str]:
    rank = f"{route}_rank"
    rows = _rows(release, "judgments", ["qid", "did", rank])
    for query, group in groupby(rows, key=itemgetter("qid")):
        hits = [(row[rank], row["did"]) for row in group if row[rank] is not None]
        for number, document in sorted(hits):
            yield f"{_id(query)} Q0 {_id(document)} {number} {1 / number:.9f} {route}\n"


def _rows(release: Path, config: str, columns: list[str]) -> Iterator[dict]:
    paths = shard_paths(release, config)
    if not paths:
        raise ReleaseError(f"{release} has no shards of {config}: it is no release.")
    for path in paths:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(ROWS, columns=columns):
                yield from batch.to_pylist()


def _id(name: str) -> str:
    """The id, or an error where it would break a line into other columns."""
    if not name or any(character.isspace() for character in name):
        raise ReleaseError(f"The id {name!r} is empty or holds white space: no column can hold it.")
    return name


def _line(record: dict) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
