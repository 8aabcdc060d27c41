"""`train retriever` and `evaluate` on a finished home, the metrics held to another implementation."""

import json
import os
from collections import defaultdict

import ir_measures
import pytest
from homes import copied, rows, seed
from ir_measures import R, nDCG
from rich.console import Console

from mathpinpoint.evaluating import evaluate_models, evaluation_text
from mathpinpoint.pipeline import Pipeline, Settings
from mathpinpoint.progress import Reporter
from mathpinpoint.training import land_retrievers
from mathpinpoint.warehouse import WarehouseError

STEPS = 2
BASE = "minilm-2-layers"


@pytest.fixture(scope="module")
def pipeline(sample_home, tmp_path_factory):
    before = {key: value for key, value in os.environ.items() if key.startswith("MATHPINPOINT_")}
    home = copied(sample_home, tmp_path_factory.mktemp("retriever") / "home")
    yield Pipeline(Settings(home=home, profile="sample"), Reporter(Console(), quiet=True))
    for key in [key for key in os.environ if key.startswith("MATHPINPOINT_")]:
        del os.environ[key]
    os.environ.update(before)


@pytest.fixture(scope="module")
def trained(pipeline):
    """How many retrievers a first training landed."""
    pipeline.prepare()
    pipeline.build("training_rows")
    return land_retrievers(pipeline.warehouse, pipeline.settings, pipeline.reporter, STEPS)


@pytest.fixture(scope="module")
def found(pipeline, trained):
    return evaluate_models(pipeline, [])


def retrievers(pipeline):
    return rows(
        pipeline.warehouse.home,
        "select model_id, version, n_rows, parameters, path from landed.trained_models where role = 'retriever'",
    )


def test_a_retriever_is_landed_for_each_seed(pipeline, trained):
    assert trained == 1
    ((model_id, version, n_rows, parameters, path),) = retrievers(pipeline)
    home = pipeline.warehouse.home
    assert version == 1 and json.loads(parameters)["seed"] == 42
    assert n_rows == rows(home, "select count(*) from training.rows")[0][0] > 0
    assert (home / path / "modules.json").is_file() and path == f"models/{model_id}"


def test_the_pairs_that_it_saw_are_those_of_the_training_rows(pipeline, trained):
    home, model_id = pipeline.warehouse.home, retrievers(pipeline)[0][0]
    seen = rows(
        home, "select query_id, doc_id, label from landed.trained_pairs where model_id = ? order by all", [model_id]
    )
    wanted = []
    for query_id, positive, *negatives in rows(
        home,
        "select query_id, positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id from training.rows",
    ):
        wanted += [(query_id, positive, 2), *((query_id, doc_id, 0) for doc_id in negatives)]
    assert seen == sorted(wanted)


def test_training_again_trains_nothing_and_other_settings_are_a_new_version(pipeline, trained):
    arguments = (pipeline.warehouse, pipeline.settings, pipeline.reporter)
    assert land_retrievers(*arguments, STEPS) == 0
    assert land_retrievers(*arguments, STEPS + 1) == 1
    assert sorted(version for _, version, *_ in retrievers(pipeline)) == [1, 2]


def test_no_training_row_is_of_a_test_query_or_shares_a_solution_with_one(pipeline, trained):
    home = pipeline.warehouse.home
    (rule,) = seed("evaluation_rules", policy="v2")
    test = {row[0] for row in rows(home, "select query_id from evaluation.queries where split = 'test'")}
    train = {row[0] for row in rows(home, "select query_id from training.rows")}
    everyone = rows(home, "select count(*) from queries.queries")[0][0]
    assert test and not test & train
    assert abs(len(test) / everyone - float(rule["test_share"])) < 0.15
    solutions = defaultdict(set)
    for query_id, doc_id in rows(home, "select query_id, doc_id from judging.judgments where label = 2"):
        solutions[doc_id].add(query_id)
    assert not [doc_id for doc_id, queries in solutions.items() if queries & test and queries & train]
    held_out = "select count(*) from training.outcomes where reason = 'held_out'"
    near = "select count(*) from evaluation.queries where split <> 'train'"
    assert rows(home, held_out) == rows(home, near)


def test_every_ranking_is_landed_once_for_each_size(pipeline, found):
    home = pipeline.warehouse.home
    test = rows(home, "select count(*) from evaluation.queries where split = 'test'")[0][0]
    counted = rows(
        home, "select model, dimensions, count(distinct query_id), max(rank) from evaluation.retrieved group by all"
    )
    sizes = {(model, dimensions) for model, dimensions, _, _ in counted}
    models = {BASE, *(row[0] for row in retrievers(pipeline))}
    assert sizes == {(model, size) for model in models for size in (384, 256, 128)}
    documents = rows(home, "select count(*) from corpus.documents")[0][0]
    assert {row[2:] for row in counted} == {(test, min(100, documents))}


def test_metrics_are_those_of_ir_measures(pipeline, found):
    home = pipeline.warehouse.home
    labels = rows(home, "select query_id, doc_id, label from judging.judgments where label is not null")
    judged = defaultdict(dict)
    for query_id, doc_id, label in labels:
        judged[query_id][doc_id] = int(label == 2)
    rankings = defaultdict(lambda: defaultdict(list))
    for model, size, query_id, doc_id in rows(
        home, "select model, dimensions, query_id, doc_id from evaluation.retrieved order by rank"
    ):
        rankings[model, size][query_id].append(doc_id)
    ours = {
        row[:3]: row[3:]
        for row in rows(
            home,
            "select model, dimensions, query_id, ndcg, recall, judged, condensed_ndcg, filled_ndcg"
            " from evaluation.query_metrics",
        )
    }
    assert len(ours) == sum(map(len, rankings.values()))
    for (model, size), ranking in rankings.items():
        theirs = by_ir_measures(judged, ranking)
        for query_id, values in theirs.items():
            assert ours[model, size, query_id] == pytest.approx(values, abs=1e-12, rel=0), (model, size, query_id)


def by_ir_measures(judged, ranking):
    """nDCG@10, R@100, judged@10, condensed nDCG@10 and nDCG@10 with the holes as relevant, by query."""
    qrels = {query_id: judged[query_id] for query_id in ranking}
    condensed = {query_id: [doc for doc in docs if doc in qrels[query_id]] for query_id, docs in ranking.items()}
    filled = {
        query_id: qrels[query_id] | {doc: 1 for doc in docs[:10] if doc not in qrels[query_id]}
        for query_id, docs in ranking.items()
    }
    parts = [
        calculated(nDCG @ 10, qrels, ranking), calculated(R @ 100, qrels, ranking),
        calculated(ir_measures.Judged @ 10, qrels, ranking), calculated(nDCG @ 10, qrels, condensed),
        calculated(nDCG @ 10, filled, ranking),
    ]
    return {query_id: tuple(part[query_id] for part in parts) for query_id in ranking}


def calculated(measure, qrels, ranking):
    """The measure by query; scores fall with the rank, so that nothing is tied."""
    run = {
        query_id: {doc: float(len(docs) - place) for place, doc in enumerate(docs)}
        for query_id, docs in ranking.items()
    }
    return {one.query_id: one.value for one in ir_measures.iter_calc([measure], qrels, run)}


def test_means_and_holes_follow_from_the_queries(pipeline, found):
    home = pipeline.warehouse.home
    for row in found["metrics"]:
        values = rows(
            home,
            "select ndcg, recall, n_holes from evaluation.query_metrics"
            " where model = ? and dimensions = ? and n_relevant > 0", [row["model"], row["dimensions"]],
        )
        assert row["n_queries"] == len(values)
        assert row["ndcg"] == pytest.approx(sum(one[0] for one in values) / len(values), abs=1e-12)
        assert row["recall"] == pytest.approx(sum(one[1] for one in values) / len(values), abs=1e-12)
        assert row["n_holes"] == sum(one[2] for one in values) and row["n_seen_in_training"] == 0
    holes = rows(
        home,
        "select distinct query_id, doc_id from evaluation.retrieved where rank <= 10 and label is null order by all",
    )
    assert rows(home, "select query_id, doc_id from evaluation.holes order by all") == holes
    assert found["n_holes"] == len(holes)


def test_each_training_is_compared_with_the_base_over_the_same_queries(pipeline, found):
    means = {(row["model"], row["dimensions"]): row for row in found["metrics"]}
    versions = {str(version) for _, version, *_ in retrievers(pipeline)}
    assert {row["version"] for row in found["comparisons"]} == versions
    for row in found["comparisons"]:
        (model,) = row["models"]
        assert row["before"] == pytest.approx(means[BASE, row["dimensions"]][row["metric"]], abs=1e-12)
        assert row["after"] == pytest.approx(means[model, row["dimensions"]][row["metric"]], abs=1e-12)
        assert row["low"] <= row["difference"] <= row["high"]
    text = evaluation_text(found)
    assert "nDCG@10" in text and "R@100" in text and f"{found['n_holes']:,} unjudged pairs" in text


def test_a_folder_is_known_by_its_weights_and_an_unknown_name_lists_what_there_is(pipeline, found):
    model_id, _, _, _, path = retrievers(pipeline)[0]
    landed = "select count(*) from landed.evaluation_runs"
    before = rows(pipeline.warehouse.home, landed)
    named = evaluate_models(pipeline, [str(pipeline.warehouse.home / path)])
    assert rows(pipeline.warehouse.home, landed) == before
    assert {row["model"] for row in named["metrics"]} == {model_id}
    assert named["comparisons"] == [row for row in found["comparisons"] if row["models"] == [model_id]]
    with pytest.raises(WarehouseError, match=f"'m_none' is neither.*{BASE}, .*{model_id}"):
        evaluate_models(pipeline, ["m_none"])
