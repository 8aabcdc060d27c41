"""Training at the level of the pipeline: rows from the warehouse in, a landed model out."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from mathpinpoint.clients import profiles
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import Warehouse, WarehouseError

PROBE_PAIRS = 64
TRAINING_ROWS = """
select
    query_id, positive_doc_id as positive_id, negative_1_doc_id as negative_1_id,
    negative_2_doc_id as negative_2_id, negative_3_doc_id as negative_3_id,
    anchor, positive, negative_1, negative_2, negative_3
from training.rows order by query_id
"""
TRAINED_PAIRS = """
select
    $model_id as model_id, judgments.query_id, judgments.doc_id, 'train' as split, judgments.label,
    cast(null as double) as raw_score
from training.rows as training_rows
inner join judging.judgments as judgments on training_rows.query_id = judgments.query_id and judgments.doc_id in (
    positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id
)
order by judgments.query_id, judgments.doc_id
"""


def land_relevance_model(warehouse: Warehouse, settings: Any, reporter: Reporter) -> int:
    """Train on `judging.relevance_training_pairs`; land the pairs, then the model. Returns the rows trained on.

    A kill in between trains again, to the same bits and so to the same shards.
    """
    from mathpinpoint.train.relevance import train_relevance_model

    pairs = warehouse.table("select * from judging.relevance_training_pairs order by query_id, doc_id")
    splits = set(pairs.column("split").to_pylist())
    if splits != {"train", "held_out"}:
        reporter.say(
            f"  trained_models: {pairs.num_rows} LLM labels in {len(splits)} of 2 splits are too few to train on"
        )
        return 0
    cuts = tuple(
        row[0] for row in warehouse.execute(
            "select min_score from policy.label_bands where min_score is not null"
            " and policy = (select policy from staging.active_policy) order by 1"
        )
    )
    profile = profiles.load(settings.profile).relevance
    with reporter.stage("trained_models", profile.steps, "steps") as counter:
        trained, seen = train_relevance_model(
            pairs, profile, warehouse.home / "models", lambda step, steps, loss: counter.set(step),
            cuts=cuts, probe_pairs=PROBE_PAIRS,
        )
    version = 1 + warehouse.execute(
        "select coalesce(max(version), 0) from staging.stg_trained_models where role = ? and base_model = ?",
        [trained.role, trained.base_model],
    )[0][0]
    warehouse.land("trained_pairs", trained.model_id, seen.to_batches(), {"input_sha256": trained.rows_sha256})
    land_model(warehouse, {**asdict(trained), "version": version, "path": relative(trained.path, warehouse.home)})
    return pairs.num_rows


def land_retrievers(warehouse: Warehouse, settings: Any, reporter: Reporter, steps: int | None) -> int:
    """Train a retriever on `training.rows` for each seed of the profile; land each as it is done. Returns how many.

    The seeds of one training share a version. A seed whose model is there, of the same rows, settings and library
    versions, is left: after a kill the same command goes on.
    """
    from mathpinpoint.train.retriever import train_retriever
    from mathpinpoint.train.saved import rows_sha256

    profile = profiles.load(settings.profile).retriever
    profile = replace(profile, steps=profile.steps if steps is None else steps)
    rows = warehouse.table(TRAINING_ROWS)
    if not rows.num_rows:
        raise WarehouseError(
            "training.rows is empty: no query has a positive and its hard negatives. "
            "`mathpinpoint query \"select reason, count(*) from training.outcomes group by all\"` says why."
        )
    known = warehouse.execute("select query_id, doc_id from judging.judgments where label >= 1")
    version, done = training_version(warehouse, profile, rows_sha256(rows))
    trained = 0
    for seed in profile.seeds:
        if seed in done:
            reporter.say(f"  trained_models: {done[seed]} is there, seed {seed}")
            continue
        with reporter.stage(f"trained_models, seed {seed}", profile.steps, "steps") as counter:
            model = train_retriever(
                rows, known, profile, warehouse.home / "models", lambda step, steps, loss: counter.set(step), seed=seed
            )
        pairs = warehouse.table(TRAINED_PAIRS, {"model_id": model.model_id})
        warehouse.land("trained_pairs", model.model_id, pairs.to_batches(), {"input_sha256": model.rows_sha256})
        land_model(warehouse, {**asdict(model), "version": version, "path": relative(model.path, warehouse.home)})
        trained += 1
    return trained


def training_version(
    warehouse: Warehouse, profile: profiles.RetrieverProfile, rows_sha256: str
) -> tuple[int, dict[int, str]]:
    """The version of a training of these rows by these settings, and its model by seed as far as it is landed."""
    from mathpinpoint.clients.retriever import matryoshka_sizes
    from mathpinpoint.train.saved import versions

    wanted = json.loads(json.dumps({**asdict(profile), "versions": versions()}))
    del wanted["seeds"], wanted["sizes"]
    landed = warehouse.execute(
        "select version, model_id, parameters, rows_sha256 from staging.stg_trained_models"
        " where role = 'retriever' and base_model = ?", [profile.base_model],
    )
    same = []
    for version, model_id, parameters, rows in landed:
        given = json.loads(parameters)
        sizes = matryoshka_sizes(profile.sizes, given["sizes"][0])
        if rows == rows_sha256 and {**given, **wanted, "sizes": sizes} == given:
            same.append((version, given["seed"], model_id))
    if not same:
        return 1 + max((row[0] for row in landed), default=0), {}
    newest = max(version for version, *_ in same)
    return newest, {seed: model_id for version, seed, model_id in same if version == newest}


def land_model(warehouse: Warehouse, row: dict[str, Any]) -> None:
    schema = LANDED["trained_models"].schema
    batch = pa.RecordBatch.from_pylist([row], schema.remove(schema.get_field_index("landed_at")))
    warehouse.land("trained_models", row["model_id"], [batch], {"input_sha256": row["rows_sha256"]})


def relative(path: Path, home: Path) -> str:
    return str(path.resolve().relative_to(home))
