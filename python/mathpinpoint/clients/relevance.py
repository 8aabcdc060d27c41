"""The relevance model: the expected label of a pair, and the probability of each label."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

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
from mathpinpoint.clients.profiles import RelevanceProfile
from mathpinpoint.clients.weights import locate, quiet_torch

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder
    from torch import nn
    from transformers import PreTrainedTokenizerBase

LABELS = ("0", "1", "2")
TEMPLATE_TOKENS = 16  # room for the words of the template, in any tokenizer
# One template for every base model: the pair is rendered, the next token is the label.
TEMPLATE = (
    "document : "
    "{{ messages | selectattr('role', 'eq', 'document') | map(attribute='content') | first }}"
    " query : {{ messages | selectattr('role', 'eq', 'query') | map(attribute='content') | first }}"
    " label :"
)


class RelevanceModel(Protocol):
    """Gives the probabilities of the labels 0, 1 and 2 of each pair."""

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """Probabilities (n, 3), float64; a row's raw score is `row @ [0, 1, 2]`."""
        ...


class ExpectedLabelModel:
    """A causal language model whose next token is the label."""

    def __init__(self, folder: str, profile: RelevanceProfile) -> None:
        self.profile = profile
        self.model = build_relevance(folder, profile)

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """See `RelevanceModel.score`. Batches have the profile's size and keep the order."""
        return probabilities(self.model, pairs, self.profile.batch_size)


def probabilities(model: "CrossEncoder", pairs: Sequence[Pair], batch_size: int) -> np.ndarray:
    """The probabilities of the labels (n, 3), float64, in batches of fixed size."""
    with quiet_torch().inference_mode():
        found = [
            forward(model, cut_pairs(model, batch), None)["probabilities"].double().cpu().numpy()
            for batch in batches(pairs, batch_size)
        ]
    return np.concatenate(found) if found else np.zeros((0, len(LABELS)))


def raw_scores(found: np.ndarray) -> np.ndarray:
    """The expected label of each row of probabilities, 0 to 2."""
    return found @ np.arange(len(LABELS), dtype=np.float64)


def build_relevance(folder: str, profile: RelevanceProfile) -> "CrossEncoder":
    """The cross-encoder on the weights in `folder`, with the template and head set in code."""
    transformer = causal_transformer(folder, profile.max_tokens, profile.dtype, TEMPLATE)
    return cross_encoder(transformer, expected_label(transformer.tokenizer))


def cut_pairs(model: "CrossEncoder", pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs cut so that the rendered template fits into the model's tokens.

    A query keeps at most half of them, a document what is left.
    """
    tokenizer, room = model.tokenizer, model.max_seq_length - TEMPLATE_TOKENS

    def cut(text: str, tokens: int) -> tuple[str, int]:
        offsets = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )["offset_mapping"]
        if len(offsets) <= tokens:
            return text, len(offsets)
        return text[: offsets[tokens - 1][1]], tokens

    shown = []
    for query, document in plain_pairs(model, pairs):
        query, used = cut(query, room // 2)
        shown.append((query, cut(document, room - used)[0]))
    return shown


def expected_label(tokenizer: "PreTrainedTokenizerBase") -> "nn.Module":
    """The head: softmax over the label tokens at the last position, then the expectation.

    It subclasses LogitScore so that sentence-transformers sees a model of one output.
    """
    torch = quiet_torch()
    from sentence_transformers.cross_encoder.modules import LogitScore

    class ExpectedLabel(LogitScore):
        def __init__(self, label_ids: list[int]) -> None:
            super().__init__(true_token_id=label_ids[-1], false_token_id=label_ids[0])
            self.label_ids = label_ids

        def forward(self, features: dict, **kwargs) -> dict:
            logits = features[self.module_input_name][:, -1].float()
            found = logits[:, self.label_ids].softmax(dim=-1)
            features["probabilities"] = found
            values = torch.arange(len(LABELS), dtype=found.dtype, device=found.device)
            features["scores"] = (found @ values).unsqueeze(1)
            return features

    return ExpectedLabel([token_id(tokenizer, label) for label in LABELS])


@cache
def load_relevance(folder: Path, profile: RelevanceProfile) -> ExpectedLabelModel:
    """The trained model in `folder`, one per process. Raises ValueError if it is not there."""
    return ExpectedLabelModel(locate(f"path:{folder}", ""), profile)
