"""Documents and queries with the statistics of mathematical pages, as token numbers; deterministic by seed.

Words follow Zipf and Mandelbrot's law, a document leans to one of many topics, phrases and formulas are used again,
and some documents open with an edited copy of another's question. Queries are pieces of documents with a few words
changed, as a question is copied from its page.
"""

import numpy as np

VOCABULARY, TOPICS, TOPIC_WORDS = 60_000, 400, 120
PHRASES, PHRASE_WORDS = 20_000, 8
DOC_TOKENS, LEAST_TOKENS = 378, 40
SHARE_OF_TOPIC, SHARE_OF_PHRASES = 0.1, 0.25
PHRASE_OFFSET = 5.0  # of the rank of a phrase, whose use follows Zipf
OFFSET, EXPONENT = 6.0, 1.3  # of the rank, by Mandelbrot


def documents(count: int, seed: int = 1) -> list[np.ndarray]:
    """So many documents, each an int32 array of token numbers."""
    draw = np.random.default_rng([seed, count])
    weights = (np.arange(VOCABULARY) + OFFSET) ** -EXPONENT
    cumulated = np.cumsum(weights / weights.sum())
    topic_words = draw.integers(200, VOCABULARY, (TOPICS, TOPIC_WORDS), dtype=np.int32)
    phrases = np.searchsorted(cumulated, draw.random((PHRASES, PHRASE_WORDS))).astype(np.int32)
    use = np.cumsum(1.0 / (np.arange(PHRASES) + PHRASE_OFFSET))
    lengths = np.maximum(draw.gamma(2.0, DOC_TOKENS / 2, count).astype(np.int64), LEAST_TOKENS)
    made: list[np.ndarray] = []
    for length in lengths:
        tokens = np.searchsorted(cumulated, draw.random(length)).astype(np.int32)
        own = draw.random(length) < SHARE_OF_TOPIC
        topic = topic_words[draw.integers(TOPICS)]
        tokens[own] = topic[(draw.random(own.sum()) ** 2 * TOPIC_WORDS).astype(np.int64)]
        starts = draw.integers(0, length - PHRASE_WORDS, int(length * SHARE_OF_PHRASES / PHRASE_WORDS))
        chosen = np.searchsorted(use, draw.random(len(starts)) * use[-1])
        for start, phrase in zip(starts, phrases[chosen], strict=True):
            tokens[start : start + PHRASE_WORDS] = phrase
        if made and draw.random() < 0.06:
            copied = changed(made[draw.integers(len(made))][:LEAST_TOKENS], draw)
            tokens[: len(copied)] = copied
        made.append(tokens)
    return made


def queries(texts: list[np.ndarray], count: int, low: int, high: int, seed: int = 2) -> list[np.ndarray]:
    """Pieces of `low` to `high` tokens of documents that are long enough, a few tokens changed or left out."""
    draw = np.random.default_rng([seed, len(texts), low, high])
    long_enough = [text for text in texts if len(text) >= high]
    made = []
    for _ in range(count):
        text, length = long_enough[draw.integers(len(long_enough))], draw.integers(low, high + 1)
        start = draw.integers(0, len(text) - length + 1)
        made.append(changed(text[start : start + length], draw))
    return made


def changed(tokens: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """3 % of the tokens replaced, 1 % left out."""
    tokens = tokens.copy()
    replaced = draw.random(len(tokens)) < 0.03
    tokens[replaced] = draw.integers(0, VOCABULARY, replaced.sum())
    return tokens[draw.random(len(tokens)) >= 0.01]


def words(texts: list[np.ndarray]) -> list[list[str]]:
    """The tokens as words, for engines that take words."""
    names = np.array([f"w{number}" for number in range(VOCABULARY)], dtype=object)
    return [names[text].tolist() for text in texts]
