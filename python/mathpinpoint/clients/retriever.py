"""Retrievers: the untrained base of a profile, and what this project trained."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mathpinpoint.clients.encoder import pooled_modules
from mathpinpoint.clients.profiles import RetrieverProfile
from mathpinpoint.clients.weights import device, locate, quiet_torch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def base_retriever(profile: RetrieverProfile, seed: int) -> "SentenceTransformer":
    """The untrained retriever, its query prompt within, its vectors L2-normalized."""
    torch = quiet_torch()
    torch.manual_seed(seed)
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize

    folder = locate(profile.loader, "")
    modules = pooled_modules(folder, profile.pooling, profile.max_tokens, "float32")
    if profile.layers:
        _keep_layers(modules[0].model, profile.layers)
    return SentenceTransformer(
        modules=[*modules, Normalize()],
        prompts={"query": profile.query_prompt, "document": ""},
        device=device(),
    )


def load_retriever(folder: Path) -> "SentenceTransformer":
    """The trained retriever in `folder`. Raises ValueError if there is none."""
    quiet_torch()
    from sentence_transformers import SentenceTransformer

    if not (folder / "modules.json").is_file():
        raise ValueError(f"{folder} holds no retriever. Run `mathpinpoint train retriever`.")
    return SentenceTransformer(str(folder), device=device(), local_files_only=True)


def encode(
    model: "SentenceTransformer", texts: Sequence[str], kind: str, *, batch_size: int
) -> np.ndarray:
    """Vectors (n, native size), float32, L2-normalized, in batches of fixed size, in order.

    `kind`, query or document, chooses the prompt saved with the model.
    """
    vectors = [
        model.encode(
            list(texts[start : start + batch_size]),
            prompt=model.prompts.get(kind, ""),
            batch_size=batch_size,
            show_progress_bar=False,
        )
        for start in range(0, len(texts), batch_size)
    ]
    if not vectors:
        return np.zeros((0, model.get_embedding_dimension()), dtype=np.float32)
    return np.concatenate(vectors).astype(np.float32, copy=False)


def matryoshka_sizes(sizes: Iterable[int], native: int) -> list[int]:
    """The model's native size and those of `sizes` below it, largest first."""
    return [native, *sorted((size for size in sizes if size < native), reverse=True)]


def _keep_layers(model, count: int) -> None:
    """Drop all but the first `count` layers of a transformer."""
    holder = model.encoder if hasattr(model, "encoder") else model
    attribute = "layer" if hasattr(holder, "layer") else "layers"
    setattr(holder, attribute, getattr(holder, attribute)[:count])
    model.config.num_hidden_layers = count
