"""Training at the level of the pipeline: rows from the warehouse in, a landed model out."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from mathpinpoint.clients import profiles
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import Warehouse

PROBE_PAIRS = 64


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


def land_model(warehouse: Warehouse, row: dict[str, Any]) -> None:
    schema = LANDED["trained_models"].schema
    batch = pa.RecordBatch.from_pylist([row], schema.remove(schema.get_field_index("landed_at")))
    warehouse.land("trained_models", row["model_id"], [batch], {"input_sha256": row["rows_sha256"]})


def relative(path: Path, home: Path) -> str:
    return str(path.resolve().relative_to(home))
