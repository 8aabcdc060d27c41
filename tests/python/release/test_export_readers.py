"""Exports and metadata loaded back by the tools that read them; a tool that is not installed skips its test."""

import json

import made
import pytest

from mathpinpoint.release.exports import export_beir, export_trec


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return made.write(tmp_path_factory.mktemp("readers") / "release")


def labelled() -> dict[str, dict[str, int]]:
    """The labels of the release by query and document, zeros among them."""
    found: dict[str, dict[str, int]] = {}
    for row in made.judgments().to_pylist():
        if row["label"] is not None:
            found.setdefault(row["qid"], {})[row["did"]] = row["label"]
    assert any(label == 0 for labels in found.values() for label in labels.values())
    return found


def test_trec_eval_reads_qrels_and_runs_with_zeros_kept(release, tmp_path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    folder = export_trec(release, tmp_path / "trec")
    with (folder / "qrels.txt").open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    assert qrels == labelled()
    with (folder / "run.dense.txt").open() as lines:
        run = pytrec_eval.parse_run(lines)
    rows = made.judgments().to_pylist()
    assert {query: set(hits) for query, hits in run.items()} == {
        query: {row["did"] for row in rows if row["qid"] == query} for query in {row["qid"] for row in rows}
    }
    # A judged zero is counted as judged, which an unjudged document is not.
    found = pytrec_eval.RelevanceEvaluator(qrels, {"num_rel_ret", "num_rel"}).evaluate(run)
    for query, labels in labelled().items():
        assert found[query]["num_rel"] == sum(label > 0 for label in labels.values())
        assert found[query]["num_rel_ret"] == found[query]["num_rel"]


def test_beirs_loader_reads_texts_and_qrels_with_zeros_kept(release, tmp_path):
    loader = pytest.importorskip("beir.datasets.data_loader")
    folder = export_beir(release, tmp_path / "beir")
    corpus, queries, qrels = loader.GenericDataLoader(str(folder)).load(split="train")
    assert qrels == labelled()
    texts = dict(zip(*made.corpus().select(["did", "text"]).to_pydict().values(), strict=True))
    assert {name: document["text"] for name, document in corpus.items()} == texts
    asked = dict(zip(*made.queries().select(["qid", "text"]).to_pydict().values(), strict=True))
    assert queries == {query: asked[query] for query in qrels}


def test_croissant_validates_offline_and_gives_every_judgment(release):
    croissant = pytest.importorskip("mlcroissant")
    dataset = croissant.Dataset(jsonld=str(release / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert {one.uuid for one in dataset.metadata.record_sets} == {"corpus", "queries", "judgments"}
    found = {}
    for row in dataset.records("judgments"):
        query, document = (row[f"judgments/{name}"].decode() for name in ("qid", "did"))
        label = row["judgments/label"]
        if label == label and label is not None:
            found.setdefault(query, {})[document] = int(label)
    assert found == labelled()


def test_croissant_that_names_an_unknown_field_is_refused(release, tmp_path):
    """The check that the test above relies on does fail."""
    croissant = pytest.importorskip("mlcroissant")
    metadata = json.loads((release / "croissant.json").read_text("utf-8"))
    metadata["recordSet"][0]["field"][0]["source"]["fileSet"]["@id"] = "no-such-files"
    (tmp_path / "croissant.json").write_text(json.dumps(metadata))
    with pytest.raises(croissant.ValidationError):
        croissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
