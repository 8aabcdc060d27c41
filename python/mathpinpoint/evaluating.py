"""Evaluation at the level of the pipeline: rankings landed, metrics read from SQL, retrievers compared."""

import hashlib
import json
from pathlib import Path
from typing import Any

from mathpinpoint.clients import profiles
from mathpinpoint.evaluate.compare import compare
from mathpinpoint.loading import ACTIVE, one_row
from mathpinpoint.train.saved import weights_sha256
from mathpinpoint.warehouse import Warehouse, WarehouseError

BLOCK_ROWS = 8192  # documents whose cosines are held at once: bounds memory, changes no hit
METRICS = ("ndcg", "recall")
MEASURED = """
select metrics.*, models.version
from evaluation.metrics as metrics
left join staging.stg_trained_models as models on metrics.model = models.model_id
order by models.version nulls first, metrics.model, metrics.dimensions desc
"""
TRAINED = """
select model_id, path from staging.stg_trained_models
where role = 'retriever' and base_model = ? order by version, model_id
"""
# The work list: test queries that the model has not searched this corpus for.
WORK = """
select queries.query_id, queries.query_text from evaluation.queries as queries
where queries.split = 'test' and not exists (
    select 1 from staging.stg_evaluation_runs as runs
    where runs.query_id = queries.query_id and runs.model = $model and runs.fingerprint = $fingerprint
) order by queries.query_id
"""


def evaluate_models(pipeline: Any, models: list[str]) -> dict:
    """Search the corpus with each retriever, then measure: `metrics`, `comparisons`, `n_holes`.

    `models` are ids of trained retrievers, folders, or the profile's base by its name; none means the base and all
    that were trained from it. Raises WarehouseError for an unknown one, or where no test query is left.
    """
    warehouse, profile = pipeline.warehouse, profiles.load(pipeline.settings.profile).retriever
    pipeline.prepare()
    chosen = retrievers(warehouse, profile.base_model, models)
    pipeline.build("evaluation_queries", "corpus_fingerprint")
    rules = one_row(warehouse, f"select * from policy.evaluation_rules where {ACTIVE}")
    fingerprint = one_row(warehouse, "select fingerprint from retrieval.corpus_fingerprint")["fingerprint"]
    for model, path in chosen.items():
        land_rankings(pipeline, model, path, fingerprint, rules["depth"])
    pipeline.build("metrics", "query_metrics", "holes")
    measured = [row for row in warehouse.table(MEASURED).to_pylist() if row["model"] in chosen]
    if not measured:
        raise WarehouseError(
            "No query is in the test split. Raise test_share in seeds/policy/evaluation_rules.csv, "
            "or run `mathpinpoint run` over more pages."
        )
    return {
        "metrics": measured,
        "comparisons": comparisons(warehouse, measured, profile.base_model, rules),
        "n_holes": warehouse.execute("select count(*) from evaluation.holes")[0][0],
        "confidence": rules["confidence"],
    }


def retrievers(warehouse: Warehouse, base: str, models: list[str]) -> dict[str, str]:
    """The folder of each retriever to evaluate, by its name in the landed rankings; '' for the untrained base."""
    known = {base: ""} | {
        model: str(warehouse.home / path) for model, path in warehouse.execute(TRAINED, [base])
    }
    chosen = {} if models else known
    for name in models:
        if name in known:
            chosen[name] = known[name]
        elif (Path(name) / "modules.json").is_file():
            chosen[f"m_{weights_sha256(Path(name))[:24]}"] = name
        else:
            raise WarehouseError(
                f"{name!r} is neither a retriever of this home nor a folder with one. "
                f"There are: {', '.join(known)}. `mathpinpoint train retriever` trains another."
            )
    return chosen


def land_rankings(pipeline: Any, model: str, path: str, fingerprint: str, depth: int) -> int:
    """Land the rankings of one retriever for the test queries that lack one; returns how many queries."""
    from mathpinpoint.land.evaluation_runs import rows

    warehouse, profile = pipeline.warehouse, pipeline.settings.profile
    work = warehouse.table(WORK, {"model": model, "fingerprint": fingerprint})
    if not work.num_rows:
        pipeline.reporter.say(f"  evaluation_runs: nothing pending for {model}")
        return 0
    asked = hashlib.sha256(json.dumps([model, fingerprint, profile, depth, work.to_pylist()]).encode()).hexdigest()
    with pipeline.reporter.stage(f"evaluation_runs, {model}", work.num_rows, "queries") as counter:
        found = rows(
            iter(work.combine_chunks().to_batches()),
            documents=warehouse.table("select doc_id, text as doc_text from corpus.documents order by doc_id"),
            profile=profile, model=model, model_path=path, fingerprint=fingerprint, depth=depth, block=BLOCK_ROWS,
            batch_size=profiles.load(profile).encoder.batch_size,
        )
        warehouse.land("evaluation_runs", asked[:32], found, {"input_sha256": asked})
        counter.set(work.num_rows)
    return work.num_rows


def comparisons(warehouse: Warehouse, measured: list[dict], base: str, rules: dict) -> list[dict]:
    """Each training (the models of one version) against the base, by size and metric, over the same queries."""
    groups = {}
    for row in measured:
        if row["model"] != base:
            version = row["version"] if row["version"] is not None else row["model"]
            groups.setdefault((str(version), row["dimensions"]), []).append(row["model"])
    found = []
    for (version, dimensions), models in groups.items():
        for metric in METRICS:
            before, *after = (per_query(warehouse, model, dimensions, metric) for model in (base, *models))
            if not before:
                continue
            result = compare(
                before, after, resamples=rules["n_resamples"], confidence=rules["confidence"],
                seed=rules["bootstrap_seed"],
            )
            found.append({
                "base": base, "version": version, "models": models, "dimensions": dimensions, "metric": metric,
                "depth": rules[f"{metric}_depth"], "before": result.before, "after": result.after,
                "seed_means": list(result.seed_means), "difference": result.difference.mean,
                "low": result.difference.low, "high": result.difference.high,
                "n_queries": result.difference.n_queries,
            })
    return found


def per_query(warehouse: Warehouse, model: str, dimensions: int, metric: str) -> dict[str, float]:
    """The metric by query_id, of the queries that have a relevant document."""
    rows = warehouse.table(
        "select query_id, ndcg, recall from evaluation.query_metrics"
        " where n_relevant > 0 and model = $model and dimensions = $dimensions order by query_id",
        {"model": model, "dimensions": dimensions},
    )
    return dict(zip(rows["query_id"].to_pylist(), rows[metric].to_pylist(), strict=True))


def evaluation_text(found: dict) -> str:
    """The metrics of each retriever and size, then each training against the base."""
    first = found["metrics"][0]
    depth, recall = first["ndcg_depth"], first["recall_depth"]
    heads = [f"nDCG@{depth}", f"R@{recall}", f"judged@{depth}", "condensed", "holes as 2"]
    width = max(len(row["model"]) for row in found["metrics"])
    lines = [f"{'model':<{width}} {'size':>5} " + " ".join(f"{head:>10}" for head in heads)]
    for row in found["metrics"]:
        values = [row[name] for name in ("ndcg", "recall", "judged", "condensed_ndcg", "filled_ndcg")]
        cells = " ".join(f"{value:>10.4f}" if value is not None else f"{'':>10}" for value in values)
        lines.append(f"{row['model']:<{width}} {row['dimensions']:>5} {cells}")
    lines.append(
        f"{first['n_queries']:,} test queries; {first['n_without_relevant']:,} more have no relevant document. "
        f"{found['n_holes']:,} unjudged pairs among the first {depth} (evaluation.holes) count as not relevant."
    )
    for row in found["comparisons"]:
        name = f"nDCG@{depth}" if row["metric"] == "ndcg" else f"R@{recall}"
        seeds = ", ".join(f"{mean:.4f}" for mean in row["seed_means"])
        lines.append(
            f"{row['base']} → version {row['version']}, size {row['dimensions']}, {name}: "
            f"{row['before']:.4f} → {row['after']:.4f}, difference {row['difference']:+.4f} "
            f"[{row['low']:+.4f}, {row['high']:+.4f}] ({found['confidence']:.0%}, by query); by seed {seeds}"
        )
    lines += [
        f"{row['model']} was trained on {row['n_seen_in_training']:,} of these queries: train it anew."
        for row in found["metrics"] if row["n_seen_in_training"]
    ]
    return "\n".join(lines)
