"""Zero-shot rerankers: a score for each pair of query and document, higher is better."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Protocol

import numpy as np

from mathpinpoint.clients.causal import (
    Pair,
    batches,
    causal_transformer,
    cross_encoder,
    forward,
    plain_pairs,
    token_id,
)
from mathpinpoint.clients.encoder import pooled_modules
from mathpinpoint.clients.profiles import RerankerProfile
from mathpinpoint.clients.weights import device, locate, quiet_torch
from mathpinpoint.compute.maxsim import maxsim

REMEMBERED_TEXTS = 4096  # token vectors kept per process, about 100 kB each


class Reranker(Protocol):
    """Gives a score for each pair."""

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """Scores (n,), float64, in the order of `pairs`."""
        ...


class MaxSimReranker:
    """The mean, over a query's tokens, of the best cosine with a token of the document."""

    def __init__(self, profile: RerankerProfile) -> None:
        quiet_torch()
        self.profile = profile
        folder = locate(profile.loader, profile.sha256)
        modules = pooled_modules(folder, "mean", profile.max_tokens, profile.dtype)
        self.transformer = modules[0].eval().to(device())
        self.vectors: OrderedDict[str, np.ndarray] = OrderedDict()

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """See `Reranker.score`. A text is encoded once, alone: padding would change the last bits of its vectors."""
        scores = [
            score for batch in batches(pairs, REMEMBERED_TEXTS // 2) for score in self._score(batch)
        ]
        return np.array(scores, dtype=np.float64)

    def _score(self, pairs: Sequence[Pair]) -> list[float]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        for text in texts:
            if text in self.vectors:
                self.vectors.move_to_end(text)
            else:
                self.vectors[text] = self.token_vectors(text)
        while len(self.vectors) > REMEMBERED_TEXTS:
            self.vectors.popitem(last=False)
        return [maxsim(self.vectors[query], self.vectors[document]) for query, document in pairs]

    def token_vectors(self, text: str) -> np.ndarray:
        """The L2-normalized vectors (n, d) of a text's tokens, special tokens left out."""
        torch = quiet_torch()
        special = torch.tensor(self.transformer.tokenizer.all_special_ids)
        with torch.inference_mode():
            features = self.transformer.preprocess([text])
            moved = {
                key: value.to(device()) if hasattr(value, "to") else value
                for key, value in features.items()
            }
            vectors = self.transformer(moved)["token_embeddings"][0].float()
            vectors = torch.nn.functional.normalize(vectors, dim=-1).cpu()
        return vectors[~torch.isin(features["input_ids"][0].cpu(), special)].numpy()


class LogitReranker:
    """logit(yes) - logit(no) of a causal language model after its own pair template."""

    def __init__(self, profile: RerankerProfile) -> None:
        quiet_torch()
        from sentence_transformers.cross_encoder.modules import LogitScore

        self.profile = profile
        folder = locate(profile.loader, profile.sha256)
        transformer = causal_transformer(folder, profile.max_tokens, profile.dtype, None)
        if not transformer.tokenizer.chat_template:
            raise ValueError(
                f"{folder}: a reranker needs a chat template that renders the roles query and "
                "document; add chat_template.jinja to the folder"
            )
        yes, no = (token_id(transformer.tokenizer, token) for token in ("yes", "no"))
        self.model = cross_encoder(transformer, LogitScore(true_token_id=yes, false_token_id=no))

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """See `Reranker.score`. Batches have the profile's size and keep the order given."""
        instruction = self.profile.instruction or None
        with quiet_torch().inference_mode():
            found = [
                forward(self.model, batch, instruction)["scores"][:, 0].double().cpu().numpy()
                for batch in batches(plain_pairs(self.model, pairs), self.profile.batch_size)
            ]
        return np.concatenate(found) if found else np.zeros(0)


@cache
def load_reranker(profile: RerankerProfile) -> MaxSimReranker | LogitReranker:
    """The reranker of `profile`, one per process. Raises ValueError if its weights are missing."""
    kinds = {"maxsim": MaxSimReranker, "cross_encoder": LogitReranker}
    return kinds[profile.kind](profile)
