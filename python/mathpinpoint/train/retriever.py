"""Fine-tune a retriever on training rows: one positive and three hard negatives a query."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from mathpinpoint.clients.profiles import RetrieverProfile
from mathpinpoint.clients.retriever import base_retriever, matryoshka_sizes
from mathpinpoint.clients.weights import device
from mathpinpoint.train.batches import Row, pack
from mathpinpoint.train.saved import Progress, TrainedModel, rows_sha256, save, versions

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

TEXTS = ("anchor", "positive", "negative_1", "negative_2", "negative_3")
DOC_IDS = ("positive_id", "negative_1_id", "negative_2_id", "negative_3_id")


def train_retriever(
    rows: pa.Table,
    known: Iterable[tuple[str, str]],
    profile: RetrieverProfile,
    folder: Path,
    progress: Progress,
    *,
    seed: int,
) -> TrainedModel:
    """Train by multiple negatives ranking in batches packed by `train.batches`, and save.

    `rows` has query_id, the ids `DOC_IDS` and the texts `TEXTS`; it is sorted by query_id first.
    `known` are the pairs labelled 1 or more. The model lies in `folder`/<model_id> and loads with
    plain sentence-transformers. The same rows, profile, seed and versions on one thread give the
    same bits. Raises ValueError if there is no row.
    """
    if not len(rows):
        raise ValueError("training.rows is empty: run `mathpinpoint status` to see what is missing")
    rows = rows.sort_by([("query_id", "ascending")])
    model = base_retriever(profile, seed)
    sizes = matryoshka_sizes(profile.sizes, model.get_embedding_dimension())
    losses = _fit(model, rows, sorted(known), sizes, profile, progress, seed)
    return save(
        lambda beside: model.save(str(beside), create_model_card=False),
        folder,
        role="retriever",
        base_model=profile.base_model,
        rows_sha256=rows_sha256(rows),
        n_rows=len(rows),
        parameters={
            **asdict(profile),
            "seed": seed,
            "sizes": sizes,
            "threads": 1,
            "world_size": _world_size(),
            "versions": versions(),
        },
        metrics={"first_loss": losses[0], "last_loss": losses[-1], "steps": len(losses)},
    )


def _fit(
    model: "SentenceTransformer",
    rows: pa.Table,
    known: list[tuple[str, str]],
    sizes: list[int],
    profile: RetrieverProfile,
    progress: Progress,
    seed: int,
) -> list[float]:
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer
    from sentence_transformers.sentence_transformer.losses import (
        CachedMultipleNegativesRankingLoss,
        MatryoshkaLoss,
    )
    from transformers import PrinterCallback

    class Trainer(SentenceTransformerTrainer):
        def add_model_card_callback(self, default_args_dict: dict) -> None:
            """The manifest stands in for a model card, which would quote training texts."""

    ranking = CachedMultipleNegativesRankingLoss(
        model,
        scale=profile.scale,
        mini_batch_size=profile.mini_batch_size,
        gather_across_devices=_world_size() > 1,
    )
    reporter, losses = _reporter(progress, profile.steps)
    with tempfile.TemporaryDirectory() as scratch:
        sampler = packed_sampler(_packed_rows(rows), known, profile)
        trainer = Trainer(
            model=model,
            args=_arguments(profile, scratch, seed, sampler),
            train_dataset=Dataset(rows.select(TEXTS)),
            loss=MatryoshkaLoss(model, ranking, sizes),
            callbacks=[reporter],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    return losses


def _packed_rows(rows: pa.Table) -> list[Row]:
    columns = [rows[name].to_pylist() for name in ("query_id", *DOC_IDS)]
    return [Row(query_id, tuple(doc_ids)) for query_id, *doc_ids in zip(*columns, strict=True)]


def packed_sampler(
    rows: list[Row], known: list[tuple[str, str]], profile: RetrieverProfile
) -> Callable:
    """What the trainer asks for batches: each pass over the rows is packed anew.

    Over several devices a packed batch is the whole step, each device takes its slice, and a
    batch that is not full is left to the next pass.
    """
    from sentence_transformers.base.sampler import DefaultBatchSampler

    class PackedBatches(DefaultBatchSampler):
        def __init__(self, dataset, batch_size: int, seed: int, **options) -> None:
            super().__init__(range(len(rows)), batch_size=batch_size, drop_last=False)
            self.seed, self.epoch = seed, 0

        def set_epoch(self, epoch: int) -> None:
            self.epoch = epoch

        def batches(self) -> list[list[int]]:
            seed = 1_000_003 * self.seed + self.epoch
            packed = pack(rows, known, batch_size=profile.batch_size, seed=seed)
            if self.batch_size == profile.batch_size:
                return packed
            full = [batch for batch in packed if len(batch) == profile.batch_size]
            return [
                batch[start : start + self.batch_size]
                for batch in full
                for start in range(0, profile.batch_size, self.batch_size)
            ]

        def __iter__(self) -> Iterator[list[int]]:
            yield from self.batches()

        def __len__(self) -> int:
            return len(self.batches())

    return PackedBatches


def _arguments(profile: RetrieverProfile, scratch: str, seed: int, sampler: Callable):
    from sentence_transformers import SentenceTransformerTrainingArguments

    on_gpu = device() == "cuda"
    return SentenceTransformerTrainingArguments(
        output_dir=scratch,
        max_steps=profile.steps,
        per_device_train_batch_size=profile.batch_size // _world_size(),
        learning_rate=profile.learning_rate,
        warmup_steps=profile.warmup_share,
        lr_scheduler_type="linear",
        seed=seed,
        data_seed=seed,
        batch_sampler=sampler,
        prompts={"anchor": profile.query_prompt},
        bf16=on_gpu,
        use_cpu=not on_gpu,
        dataloader_pin_memory=on_gpu,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )


def _reporter(progress: Progress, steps: int):
    """A trainer callback that keeps each step's loss and passes it on."""
    from transformers import TrainerCallback

    losses: list[float] = []

    class Reporter(TrainerCallback):
        def on_log(self, args, state, control, logs=None, **options) -> None:
            if logs and "loss" in logs:
                losses.append(float(logs["loss"]))
                progress(state.global_step, steps, losses[-1])

    return Reporter(), losses


def _world_size() -> int:
    """Processes that train together: what torchrun says, else one."""
    return int(os.environ.get("WORLD_SIZE", "1"))
