"""An inverted index over token 3-grams: how much of each text is found in a shown one."""

from dataclasses import dataclass

import numpy as np

from .tokens import Vocabulary


@dataclass(frozen=True)
class Match:
    """Weights of the grams that a shown text shares with each indexed text."""

    shared: np.ndarray  # per indexed text
    shown: float  # of all grams of the shown text


class Index:
    """Texts by their grams, each gram weighted by its rarity, log(1 + n / document frequency)."""

    def __init__(self, texts: list[list[str]], vocabulary: Vocabulary) -> None:
        """Index `texts`, each a list of canonical tokens."""
        self._vocabulary = vocabulary
        grams = [vocabulary.grams(words) for words in texts]
        sizes = [len(found) for found in grams]
        flat = np.concatenate([*grams, np.empty(0, np.uint64)])
        owners = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)
        order = np.argsort(flat, kind="stable")
        self._owners = owners[order]
        self._keys, starts, counts = np.unique(flat[order], return_index=True, return_counts=True)
        self._starts, self._counts = starts, counts
        self._weights = np.log1p(len(texts) / np.maximum(counts, 1))
        self._rarest = float(np.log1p(max(len(texts), 1)))
        self.totals = np.bincount(
            self._owners, weights=np.repeat(self._weights, counts), minlength=len(texts)
        )

    def match(self, words: list[str]) -> Match:
        """Weigh what `words` share with each text; grams never seen weigh as the rarest."""
        grams = self._vocabulary.grams(words)
        if not len(self._keys) or not len(grams):
            return Match(np.zeros(len(self.totals)), self._rarest * len(grams))
        places = np.minimum(np.searchsorted(self._keys, grams), len(self._keys) - 1)
        places = places[self._keys[places] == grams]
        counts, weights = self._counts[places], self._weights[places]
        offsets = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
        owners = self._owners[np.repeat(self._starts[places], counts) + offsets]
        shared = np.bincount(owners, weights=np.repeat(weights, counts), minlength=len(self.totals))
        unseen = len(grams) - len(places)
        return Match(shared, float(weights.sum()) + self._rarest * unseen)
