"""The weights that a tiny causal relevance model starts from: they look a query up in a document.

A pair is rendered as `document : … query : … label :`. In the first layer each token learns
whether it stands after the word `query`; in the second a token of the query looks for itself in
the document, or else rests on the first token; in the third the last token averages over the
query what was found, rarer tokens first. All other weights stay random, and all are trained but
the word vectors. From a random start a thousand pairs teach such a model next to nothing.
"""

from typing import TYPE_CHECKING

import numpy as np

from mathpinpoint.clients.static import principal_components
from mathpinpoint.clients.weights import quiet_torch

if TYPE_CHECKING:
    import torch
    from transformers import Qwen3ForCausalLM

WORD = 96  # dimensions of the residual stream that hold a token's word vector
SEGMENT, FOUND, RARITY, SHARE = 96, 97, 98, 99  # and what the others of use hold
SLOW = 14  # first pair of a head's dimensions that rotary positions hardly turn
SHARP = 4.0  # of the looking heads: how much an equal token beats a similar one
REST = 0.75  # how equal a token must be to beat the first token
RARE = 0.1  # how much more a rare token counts
STRENGTH = 3.0  # of a signal in the residual stream


def set_matching_weights(
    model: "Qwen3ForCausalLM",
    words: np.ndarray,
    *,
    query_id: int,
    document_id: int,
    label_ids: list[int],
) -> None:
    """Write word vectors (vocabulary, d), ordered by frequency, and the three looking heads.

    The ids are those of the words `query` and `document` and of the labels from 0.
    """
    torch = quiet_torch()
    with torch.no_grad():
        vectors = word_vectors(words)
        table = model.get_input_embeddings().weight
        table.zero_()
        table[:, :WORD] = vectors
        table[:, RARITY] = rarity(len(words))
        scale = 1 / vectors.norm(dim=1)[0]  # a unit vector's readout of its own token is 1
        query, document = vectors[query_id] * scale, vectors[document_id] * scale
        first, second, third = (layer.self_attn for layer in model.model.layers)
        _find_segment(first, query, document)
        _find_token(second, document)
        _average_found(third)
        middle = (len(label_ids) - 1) / 2
        for label, label_id in enumerate(label_ids):
            model.lm_head.weight[label_id, SHARE] = label - middle


def word_vectors(words: np.ndarray) -> "torch.Tensor":
    """The first whitened principal components of `words`, each row of the same length."""
    torch = quiet_torch()
    parts = principal_components(words, WORD)
    parts /= parts.std(axis=0)
    parts *= np.sqrt(WORD) / np.linalg.norm(parts, axis=1, keepdims=True)
    return torch.from_numpy(parts.astype(np.float32))


def rarity(count: int) -> "torch.Tensor":
    """Zipf: the logarithm of a token's place in the vocabulary, standardized."""
    torch = quiet_torch()
    places = torch.log1p(torch.arange(count, dtype=torch.float32))
    return (places - places.mean()) / places.std()


def _slow_dimensions(size: int) -> list[int]:
    """A head's dimensions whose rotation over a few hundred tokens is small, in pairs."""
    half = size // 2
    return [*range(SLOW, half), *range(half + SLOW, size)]


def _projection(attention) -> "torch.Tensor":
    """The orthonormal rows that take a word vector to the slow dimensions but the last two."""
    torch = quiet_torch()
    count = len(_slow_dimensions(attention.head_dim)) - 2
    return torch.linalg.qr(torch.randn(WORD, WORD))[0][:count]


def _clear_head(attention) -> None:
    size = attention.head_dim
    for part in (attention.q_proj, attention.k_proj, attention.v_proj):
        part.weight[:size] = 0
        part.bias[:size] = 0
    attention.o_proj.weight[:, :size] = 0


def _find_segment(attention, query, document) -> None:
    """Head 0 looks for the word `query`, else rests on `document`: SEGMENT is + or -."""
    _clear_head(attention)
    rows = _slow_dimensions(attention.head_dim)[:-2]
    project = _projection(attention)
    attention.k_proj.weight[rows, :WORD] = project
    attention.q_proj.bias[rows] = project @ (query + REST * document)
    attention.v_proj.weight[0, :WORD] = (query - document) * WORD**-0.5
    attention.o_proj.weight[SEGMENT, 0] = STRENGTH
    attention.q_norm.weight.fill_(SHARP)
    attention.k_norm.weight.fill_(SHARP)


def _find_token(attention, document) -> None:
    """Head 0 looks for the same token before SEGMENT turns, else rests: FOUND is + or -."""
    _clear_head(attention)
    *rows, mark, _ = _slow_dimensions(attention.head_dim)
    project = _projection(attention)
    length = WORD**0.5
    attention.q_proj.weight[rows, :WORD] = project
    attention.k_proj.weight[rows, :WORD] = project
    attention.q_proj.bias[rows] = REST * length * (project @ document)
    attention.q_proj.bias[mark] = -length
    attention.k_proj.weight[mark, SEGMENT] = length / STRENGTH
    attention.v_proj.weight[0, :WORD] = -2 * document / length
    attention.v_proj.bias[0] = 1
    attention.o_proj.weight[FOUND, 0] = STRENGTH
    attention.q_norm.weight.fill_(SHARP)
    attention.k_norm.weight.fill_(SHARP)


def _average_found(attention) -> None:
    """Head 0 averages FOUND over the tokens of the query, rarer ones more: SHARE."""
    _clear_head(attention)
    *_, mark, other = _slow_dimensions(attention.head_dim)
    attention.q_proj.bias[mark] = 1
    attention.q_proj.bias[other] = 1
    attention.k_proj.weight[mark, SEGMENT] = 1 / STRENGTH
    attention.k_proj.weight[other, RARITY] = RARE
    attention.v_proj.weight[0, FOUND] = 1 / STRENGTH
    attention.o_proj.weight[SHARE, 0] = STRENGTH
