"""Encoders: texts in, L2-normalized vectors out."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mathpinpoint.clients.profiles import EncoderProfile
from mathpinpoint.clients.weights import device, locate, quiet_torch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class Encoder(Protocol):
    """Gives a vector for each text."""

    def encode(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """Vectors (n, d), float32, L2-normalized, in the order of `texts`.

        `kind`, query or document, chooses the prompt.
        """
        ...


class SentenceEncoder:
    """An encoder of sentence-transformers, built from a profile."""

    def __init__(self, profile: EncoderProfile) -> None:
        self.profile = profile
        self.model = build_model(profile)
        self.prompts = {"query": profile.query_prompt, "document": profile.document_prompt}

    def encode(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """See `Encoder.encode`. Batches have the profile's size and keep the order given."""
        size, prompt = self.profile.batch_size, self.prompts[kind]
        vectors = [
            self.model.encode(
                list(texts[start : start + size]),
                prompt=prompt,
                batch_size=size,
                truncate_dim=self.profile.dimensions,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            for start in range(0, len(texts), size)
        ]
        if not vectors:
            return np.zeros((0, self.profile.dimensions), dtype=np.float32)
        return np.concatenate(vectors).astype(np.float32, copy=False)


@cache
def load_encoder(profile: EncoderProfile) -> SentenceEncoder:
    """The encoder of `profile`, one per process. Raises ValueError if its weights are missing."""
    return SentenceEncoder(profile)


def build_model(profile: EncoderProfile) -> "SentenceTransformer":
    """A SentenceTransformer of `profile`: transformer and pooling, or static word vectors.

    The normalization is left to `encode`, after the vector is cut to the profile's dimensions.
    """
    quiet_torch()
    from sentence_transformers import SentenceTransformer

    if profile.loader.startswith("static:"):
        from mathpinpoint.clients.static import load_static

        module = load_static(profile.loader.removeprefix("static:"), profile.dimensions)
        return SentenceTransformer(modules=[module], device="cpu")
    folder = locate(profile.loader, profile.sha256)
    modules = pooled_modules(folder, profile.pooling, profile.max_tokens, profile.dtype)
    return SentenceTransformer(modules=modules, device=device())


def pooled_modules(folder: str, pooling: str, max_tokens: int, dtype: str) -> list:
    """A transformer and its pooling; padded at the left where the last token is pooled."""
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    side = "left" if pooling == "lasttoken" else "right"
    transformer = Transformer(
        folder,
        max_seq_length=max_tokens,
        model_kwargs={"dtype": dtype},
        processor_kwargs={"padding_side": side},
    )
    return [transformer, Pooling(transformer.get_embedding_dimension(), pooling_mode=pooling)]
