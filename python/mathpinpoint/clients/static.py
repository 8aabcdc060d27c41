"""A static encoder: one vector per token of an encoder's vocabulary, distilled once."""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mathpinpoint.clients.weights import home, package_folder

if TYPE_CHECKING:
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

DECIMALS = 7  # of a component: further ones differ with the kernels and threads of the linear algebra


def load_static(package: str, dimensions: int) -> "StaticEmbedding":
    """The static encoder of `package`'s encoder, distilled (minutes) where the home has none."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    folder = home() / "models" / f"static-{package}-{dimensions}"
    if not folder.is_dir():
        _save(distil(package, dimensions), folder)
    return StaticEmbedding.load(str(folder))


def distil(package: str, dimensions: int) -> "StaticEmbedding":
    """Embed each token alone, keep the first principal components, weigh by Zipf's law.

    The vocabulary is ordered by frequency, so that log(1 + position) weighs a token.
    """
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    model = SentenceTransformer(str(package_folder(package)), device="cpu")
    tokenizer = Tokenizer.from_file(str(package_folder(package) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokens = [tokenizer.id_to_token(index) for index in range(tokenizer.get_vocab_size())]
    words = [token.removeprefix("##") for token in tokens]
    vectors = model.encode(words, batch_size=256, show_progress_bar=False)
    weights = principal_components(vectors, dimensions) * np.log1p(np.arange(len(tokens)))[:, None]
    return StaticEmbedding(tokenizer, embedding_weights=weights.astype(np.float32))


def principal_components(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """The rows of `vectors` (n, d), centred, in their first `dimensions` principal directions.

    Each direction's sign makes its largest coefficient positive. The rows are rounded to DECIMALS.
    """
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    directions = directions[:, ::-1][:, :dimensions]
    largest = np.abs(directions).argmax(axis=0)
    signs = np.sign(directions[largest, np.arange(dimensions)])
    return (centred @ (directions * signs)).round(DECIMALS)


def _save(module: "StaticEmbedding", folder: Path) -> None:
    beside = folder.with_name(f".{folder.name}.{os.getpid()}")
    beside.mkdir(parents=True)
    module.save(str(beside))
    try:
        beside.rename(folder)
    except OSError:  # another process was first; its vectors are the same
        shutil.rmtree(beside)
