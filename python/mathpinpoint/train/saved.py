"""A trained model on disk: written beside, named by its bits, renamed."""

import hashlib
import importlib.metadata
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from mathpinpoint.clients.weights import file_sha256

Progress = Callable[[int, int, float], None]  # step, steps, loss


@dataclass(frozen=True)
class TrainedModel:
    """A row of `trained_models`, but for `version` and `landed_at`; `path` is its folder."""

    model_id: str
    role: str
    base_model: str
    rows_sha256: str
    n_rows: int
    parameters: str
    metrics: str
    path: Path


def save(
    write: Callable[[Path], None],
    folder: Path,
    *,
    role: str,
    base_model: str,
    rows_sha256: str,
    n_rows: int,
    parameters: dict,
    metrics: dict,
) -> TrainedModel:
    """Let `write` fill a new folder, add `manifest.json`, rename it to `folder`/<model_id>.

    `model_id` is m_ and 24 hex digits of the sha256 of the weights.
    """
    beside = folder / f".{role}-{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    write(beside)
    model_id = f"m_{weights_sha256(beside)[:24]}"
    trained = TrainedModel(
        model_id=model_id,
        role=role,
        base_model=base_model,
        rows_sha256=rows_sha256,
        n_rows=n_rows,
        parameters=json.dumps(parameters, sort_keys=True),
        metrics=json.dumps(metrics, sort_keys=True),
        path=folder / model_id,
    )
    manifest = {**asdict(trained), "path": model_id, "parameters": parameters, "metrics": metrics}
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    (beside / "manifest.json").write_text(text, encoding="utf-8")
    if trained.path.exists():  # of the same weights, and perhaps in use
        shutil.rmtree(beside)
    else:
        beside.rename(trained.path)
    return trained


def weights_sha256(folder: Path) -> str:
    """The sha256 of the safetensors under `folder`; of their sha256s, in order, if several."""
    found = [file_sha256(file) for file in sorted(folder.rglob("*.safetensors"))]
    return found[0] if len(found) == 1 else hashlib.sha256("".join(found).encode()).hexdigest()


def rows_sha256(rows: pa.Table) -> str:
    """The sha256 of all columns of all rows, in order."""
    digest = hashlib.sha256()
    for row in rows.to_pylist():
        digest.update(json.dumps(row, sort_keys=True, ensure_ascii=False).encode() + b"\n")
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """The versions of the libraries that make a model's bits."""
    names = ("torch", "transformers", "sentence-transformers", "numpy")
    return {name: importlib.metadata.version(name) for name in names}
