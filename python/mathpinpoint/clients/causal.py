"""Cross-encoders on a causal language model: the logits at the last position are the score."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mathpinpoint.clients.weights import device, quiet_torch

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder
    from sentence_transformers.sentence_transformer.modules import Transformer
    from torch import Tensor, nn
    from transformers import PreTrainedTokenizerBase

Pair = tuple[str, str]  # a query's text and a document's text


def causal_transformer(
    folder: str, max_tokens: int, dtype: str, template: str | None
) -> "Transformer":
    """The causal language model in `folder`, padded at the left, cut to `max_tokens`.

    `template` renders a pair; None leaves the chat template of the checkpoint. When a pair is
    cut, the end of the template is kept.
    """
    quiet_torch()
    from sentence_transformers.sentence_transformer.modules import Transformer

    return Transformer(
        folder,
        transformer_task="text-generation",
        max_seq_length=max_tokens,
        model_kwargs={"dtype": dtype},
        processor_kwargs={"chat_template": template} if template else {},
    )


def cross_encoder(transformer: "Transformer", head: "nn.Module") -> "CrossEncoder":
    """A cross-encoder of the two, in evaluation mode; scores are left as they come."""
    torch = quiet_torch()
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(
        modules=[transformer, head], device=device(), activation_fn=torch.nn.Identity()
    )
    return model.eval()


def token_id(tokenizer: "PreTrainedTokenizerBase", token: str) -> int:
    """The id of `token`. Raises ValueError if the tokenizer does not know it as one token."""
    found = tokenizer.get_vocab().get(token)
    if found is None:
        raise ValueError(f"{tokenizer.name_or_path}: {token!r} is not one token of this tokenizer")
    return found


def forward(
    model: "CrossEncoder", pairs: Sequence[Pair], prompt: str | None
) -> dict[str, "Tensor"]:
    """The features of one batch after all modules: `scores` (n, 1), and what the head adds."""
    features = model.preprocess([list(pair) for pair in pairs], prompt=prompt)
    return model(
        {
            key: value.to(model.device) if hasattr(value, "to") else value
            for key, value in features.items()
        }
    )


def batches(pairs: Sequence[Pair], size: int) -> Iterator[Sequence[Pair]]:
    """Slices of `size` pairs, in order."""
    for start in range(0, len(pairs), size):
        yield pairs[start : start + size]


def plain_pairs(model: "CrossEncoder", pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with each special token that a text spells out broken by a space.

    A page cannot close the template's turn and speak in the model's place.
    """
    tokens = sorted(model.tokenizer.all_special_tokens, key=len, reverse=True)
    spelled = re.compile("|".join(re.escape(token) for token in tokens))

    def plain(text: str) -> str:
        return spelled.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

    return [(plain(query), plain(document)) for query, document in pairs]
