"""Exports against the tools that read them."""

import json

import ir_measures
import made
import pytest
import pytrec_eval
from beir.datasets.data_loader import GenericDataLoader

from mathpinpoint.release.exports import export_beir, export_trec
from mathpinpoint.release.layout import ReleaseError


def test_qrels_and_runs_are_read_by_ir_measures_with_zeros_kept(tmp_path):
    folder = export_trec(made.write(tmp_path / "release"), tmp_path / "trec")
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    rows = made.judgments().to_pylist()
    expected = [(row["qid"], row["did"], row["label"]) for row in rows if row["label"] is not None]
    assert [(q.query_id, q.doc_id, q.relevance) for q in qrels] == expected
    assert sum(q.relevance == 0 for q in qrels) == sum(row["label"] == 0 for row in rows) > 0
    for route in ("dense", "bm25", "fused"):
        run = list(ir_measures.read_trec_run(str(folder / f"run.{route}.txt")))
        ranked = sorted(
            (row["qid"], row[f"{route}_rank"], row["did"])
            for row in rows if row[f"{route}_rank"] is not None
        )
        assert [(hit.query_id, hit.doc_id) for hit in run] == [(q, d) for q, _, d in ranked]
        by_score = sorted(run, key=lambda hit: (hit.query_id, -hit.score))
        assert by_score == run
    assert (folder / "run.ngram5.txt").read_text() == ""
    found = ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)
    assert 0 < found[ir_measures.nDCG @ 10] < 1


def test_pytrec_eval_finds_the_first_solution_at_its_rank(tmp_path):
    folder = export_trec(made.write(tmp_path / "release"), tmp_path / "trec")
    with (folder / "qrels.txt").open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    assert {label for pairs in qrels.values() for label in pairs.values()} == {0, 1, 2}
    with (folder / "run.dense.txt").open() as lines:
        run = pytrec_eval.parse_run(lines)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}, relevance_level=2).evaluate(run)
    hits: dict[str, list[tuple]] = {query: [] for query in found}
    for row in made.judgments().to_pylist():
        if row["dense_rank"] is not None and row["qid"] in found:
            hits[row["qid"]].append((row["dense_rank"], row["did"], row["label"]))
    # Tied ranks, which a route never has, stand in an order of the tool's own.
    whole = {query: rows for query, rows in hits.items() if len({rank for rank, *_ in rows}) == len(rows)}
    firsts = {
        query: next((1 / place for place, row in enumerate(sorted(rows), 1) if row[2] == 2), 0)
        for query, rows in whole.items()
    }
    assert {query: found[query]["recip_rank"] for query in whole} == pytest.approx(firsts)
    assert len(set(firsts.values())) > 2


def test_beir_loads_the_layout_with_its_own_loader(tmp_path):
    folder = export_beir(made.write(tmp_path / "release"), tmp_path / "beir")
    corpus, queries, qrels = GenericDataLoader(str(folder)).load(split="train")
    assert {doc_id: each["text"] for doc_id, each in corpus.items()} == {
        row["did"]: row["text"] for row in made.corpus().to_pylist()
    }
    expected: dict[str, dict[str, int]] = {}
    for row in made.judgments().to_pylist():
        if row["label"] is not None:
            expected.setdefault(row["qid"], {})[row["did"]] = row["label"]
    assert qrels == expected and 0 in {label for pairs in qrels.values() for label in pairs.values()}
    texts = {row["qid"]: row["text"] for row in made.queries().to_pylist()}
    assert queries == {query: texts[query] for query in expected}


def test_beir_layout_holds_every_text_as_it_is(tmp_path):
    folder = export_beir(made.write(tmp_path / "release"), tmp_path / "beir")
    lines = (folder / "queries.jsonl").read_text("utf-8").split("\n")[:-1]
    assert [json.loads(line)["text"] for line in lines] == made.queries()["text"].to_pylist()
    lines = (folder / "corpus.jsonl").read_text("utf-8").split("\n")[:-1]
    documents = [json.loads(line) for line in lines]
    assert [each["_id"] for each in documents] == made.corpus()["did"].to_pylist()
    assert set(documents[0]) == {"_id", "title", "text"}
    head, *rest = (folder / "qrels" / "train.tsv").read_text("utf-8").splitlines()
    assert head == "query-id\tcorpus-id\tscore"
    assert sum(line.endswith("\t0") for line in rest) > 0
    assert len(rest) == 300 - made.judgments()["label"].null_count


def test_exports_are_the_same_bytes_every_time(tmp_path):
    release = made.write(tmp_path / "release")
    for number, export in enumerate((export_trec, export_beir)):
        first = made.contents(export(release, tmp_path / f"{number}a"))
        assert made.contents(export(release, tmp_path / f"{number}b")) == first
        assert "SHA256SUMS" in first


def test_an_id_that_would_break_a_line_is_refused(tmp_path):
    ids = made.judgments()["did"].to_pylist()
    found = made.with_column(made.judgments(), "did", [ids[0], ids[1] + " 1 2", *ids[2:]])
    release = made.write(tmp_path / "release", {**made.tables(), "judgments": found})
    for export in (export_trec, export_beir):
        with pytest.raises(ReleaseError, match="holds white space"):
            export(release, tmp_path / "out")


def test_a_folder_that_is_no_release_is_named_and_nothing_is_left(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReleaseError, match="has no shards of judgments"):
        export_trec(tmp_path / "empty", tmp_path / "trec")
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
