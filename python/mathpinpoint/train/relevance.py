"""Train the relevance model: a causal cross-encoder whose expected label follows the LLM's."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mathpinpoint.clients import relevance, tiny
from mathpinpoint.clients.causal import Pair, forward
from mathpinpoint.clients.profiles import RelevanceProfile
from mathpinpoint.clients.weights import locate, quiet_torch
from mathpinpoint.schemas import LANDED
from mathpinpoint.train.report import held_out_report
from mathpinpoint.train.saved import Progress, TrainedModel, rows_sha256, save, versions

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

def train_relevance_model(
    pairs: pa.Table,
    profile: RelevanceProfile,
    folder: Path,
    progress: Progress,
    *,
    cuts: tuple[float, float],
    probe_pairs: int,
) -> tuple[TrainedModel, pa.Table]:
    """Train on the rows of split `train`, score the rows of split `held_out`, save, report.

    `pairs` has query_id, doc_id, query_text, doc_text, label (0, 1, 2) and split; it is sorted by
    (query_id, doc_id) first. The model lies in `folder`/<model_id>, with the first `probe_pairs`
    held-out pairs and their scores; the table given back has the columns of `trained_pairs` but
    for `landed_at`. The same pairs, profile and versions give the same bits.
    Raises ValueError if a split is empty, or if a query is in both.
    """
    pairs = pairs.sort_by([("query_id", "ascending"), ("doc_id", "ascending")])
    train, held_out = split(pairs)
    model = base_model(profile, folder)
    losses = fit(model, _texts(train), train["label"].to_numpy(), profile, progress)
    raw = relevance.probabilities(model, _texts(held_out), profile.batch_size)
    scored = held_out.append_column("raw_score", pa.array(relevance.raw_scores(raw)))
    trained = save(
        lambda beside: _write(model, scored.slice(0, probe_pairs), beside),
        folder,
        role="relevance_model",
        base_model=profile.base_model,
        rows_sha256=rows_sha256(pairs),
        n_rows=len(pairs),
        parameters={**asdict(profile), "threads": 1, "versions": versions()},
        metrics={
            **held_out_report(scored, cuts=cuts),
            "n_train": len(train),
            "first_loss": float(np.mean(losses[:10])),
            "last_loss": float(np.mean(losses[-10:])),
        },
    )
    return trained, trained_pairs(trained.model_id, train, scored)


def _write(model: "CrossEncoder", probe: pa.Table, folder: Path) -> None:
    network = model[0].model
    merged = network.merge_and_unload() if hasattr(network, "merge_and_unload") else network
    merged.save_pretrained(folder)
    model.tokenizer.save_pretrained(folder)
    pq.write_table(probe, folder / "probe.parquet")


def split(pairs: pa.Table) -> tuple[pa.Table, pa.Table]:
    """The training and the held-out rows. Raises ValueError if they are not two, or not apart."""
    where = np.array(pairs["split"].to_pylist())
    train, held_out = (pairs.filter(pa.array(where == name)) for name in ("train", "held_out"))
    if not len(train) or not len(held_out) or len(train) + len(held_out) != len(pairs):
        raise ValueError(
            f"relevance training pairs: {len(train)} train and {len(held_out)} held_out of "
            f"{len(pairs)}. Run `mathpinpoint land llm_replies` first."
        )
    both = set(train["query_id"].to_pylist()) & set(held_out["query_id"].to_pylist())
    if both:
        raise ValueError(f"{len(both)} queries are in both splits, {min(both)} for one")
    return train, held_out


def base_model(profile: RelevanceProfile, folder: Path) -> "CrossEncoder":
    """The untrained cross-encoder, on the device; only the weights to be trained need gradients."""
    torch = quiet_torch()
    torch.manual_seed(profile.seed)
    if profile.kind == "tiny":
        source = folder / f".base-{os.getpid()}"
        tiny.write_relevance_base(source, profile.loader, seed=profile.seed)
        model = relevance.build_relevance(str(source), profile)
        shutil.rmtree(source)
        # Its word vectors are the packaged encoder's: what they know of other words is kept.
        model[0].model.get_input_embeddings().weight.requires_grad = False
    else:
        model = relevance.build_relevance(locate(profile.loader, ""), profile)
    if profile.lora_rank:
        model[0].model = with_lora(model[0].model, profile.lora_rank)
    return model


def with_lora(model, rank: int):
    """`model` with low-rank adapters on all linear layers. Raises ValueError without peft."""
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError:
        raise ValueError(
            f"[relevance] lora_rank = {rank} needs peft. Run `pip install peft`, or set "
            "lora_rank = 0 to train all weights."
        ) from None
    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, config)


def fit(
    model: "CrossEncoder",
    pairs: list[Pair],
    labels: np.ndarray,
    profile: RelevanceProfile,
    progress: Progress,
) -> list[float]:
    """Train by the squared error of the expected label; gives the loss of each step."""
    torch = quiet_torch()
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=profile.learning_rate, weight_decay=0.01)
    warmup = max(1, round(profile.warmup_share * profile.steps))
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warmup, (profile.steps - step) / profile.steps),
    )
    model.train()
    losses = []
    for step, rows in enumerate(seeded_batches(len(pairs), profile), 1):
        batch = relevance.cut_pairs(model, [pairs[row] for row in rows])
        scores = forward(model, batch, None)["scores"][:, 0]
        target = torch.tensor(labels[rows], dtype=scores.dtype, device=scores.device)
        loss = torch.nn.functional.mse_loss(scores, target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        rates.step()
        losses.append(loss.item())
        progress(step, profile.steps, losses[-1])
    model.eval()
    return losses


def seeded_batches(count: int, profile: RelevanceProfile) -> Iterator[np.ndarray]:
    """Positions of each step's rows: seeded passes over all rows, one after the other."""
    random = np.random.default_rng(profile.seed)
    order = np.empty(0, dtype=np.int64)
    for _ in range(profile.steps):
        while len(order) < profile.batch_size:
            order = np.concatenate([order, random.permutation(count)])
        yield order[: profile.batch_size]
        order = order[profile.batch_size :]


def _texts(rows: pa.Table) -> list[Pair]:
    return list(zip(rows["query_text"].to_pylist(), rows["doc_text"].to_pylist(), strict=True))


def trained_pairs(model_id: str, train: pa.Table, scored: pa.Table) -> pa.Table:
    """The rows of `trained_pairs` of both splits; a raw score where a pair was held out."""
    unscored = train.append_column("raw_score", pa.nulls(len(train), pa.float64()))
    rows = pa.concat_tables([unscored, scored])
    rows = rows.add_column(0, "model_id", pa.array([model_id] * len(rows)))
    schema = LANDED["trained_pairs"].schema
    return rows.select(schema.names[:-1]).cast(schema.remove(len(schema) - 1))
