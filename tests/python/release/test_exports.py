"""Exports against the tools that read them."""

import json

import ir_measures
import made
import pytest

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
