"""The classes of the reference profile, on tiny random Qwen3 weights."""

import numpy as np
import pytest

from mathpinpoint.clients import profiles
from mathpinpoint.clients.causal import forward, token_id
from mathpinpoint.clients.encoder import load_encoder
from mathpinpoint.clients.relevance import (
    build_relevance,
    cut_pairs,
    probabilities,
    raw_scores,
)
from mathpinpoint.clients.reranker import load_reranker
from mathpinpoint.clients.tiny import END, write_tiny_reference

TEXTS = [
    "Find x such that x + 3 = 7.",
    "Prove that the sum of the first n odd numbers is n squared, for every positive integer n.",
    "What is 2 + 2?",
]
PAIRS = [(TEXTS[0], "x = 4, since 7 - 3 = 4."), (TEXTS[1], "No. " * 80), (TEXTS[2], "4")]


@pytest.fixture(scope="module")
def profile(tmp_path_factory) -> profiles.Profile:
    return profiles.load(write_tiny_reference(tmp_path_factory.mktemp("tiny")))


def test_the_prompts_of_the_reference_have_these_bytes():
    for name in ("encoder", "retriever"):
        prompt = getattr(profiles.load("reference"), name).query_prompt
        assert prompt.encode() == (
            b"Instruct: Given a web search query, retrieve relevant passages that answer the query"
            b"\nQuery:"
        )
    assert profiles.load("reference").encoder.document_prompt == ""


def test_the_query_follows_its_prompt_directly_and_documents_have_none(profile):
    encoder = load_encoder(profile.encoder)
    prompt = profile.encoder.query_prompt
    as_query = encoder.encode(TEXTS, "query")
    by_hand = encoder.encode([prompt + text for text in TEXTS], "document")
    assert np.array_equal(as_query, by_hand)
    assert not np.allclose(as_query, encoder.encode(TEXTS, "document"))


def test_vectors_do_not_depend_on_padding(profile):
    encoder = load_encoder(profile.encoder)
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert encoder.model.tokenizer.padding_side == "left"
    assert np.abs(together - alone).max() < 1e-6
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)


def test_the_final_token_survives_truncation(profile):
    encoder = load_encoder(profile.encoder)
    features = encoder.model.preprocess(["x " * 500, "short"])
    final = encoder.model.tokenizer.convert_tokens_to_ids(END)
    assert features["input_ids"].shape[1] == profile.encoder.max_tokens
    assert features["input_ids"][:, -1].tolist() == [final, final]
    assert encoder.model.tokenizer.pad_token_id == final


def test_the_reranker_scores_by_the_difference_of_two_logits(profile):
    import torch

    reranker = load_reranker(profile.reranker)
    scores = reranker.score(PAIRS)
    for pair, score in zip(PAIRS, scores, strict=True):
        with torch.inference_mode():
            logits = forward(reranker.model, [pair], None)["causal_logits"][0, -1]
        yes, no = (token_id(reranker.model.tokenizer, token) for token in ("yes", "no"))
        assert score == pytest.approx(float(logits[yes] - logits[no]), abs=1e-5)
    assert scores.dtype == np.float64 and len(set(scores)) == 3


def test_a_long_document_leaves_the_end_of_the_template(profile):
    reranker = load_reranker(profile.reranker)
    features = reranker.model.preprocess([list(PAIRS[1])])
    assert features["input_ids"].shape[1] == profile.reranker.max_tokens
    assert reranker.model.tokenizer.decode(features["input_ids"][0][-2:]) == "answer :"


def test_a_page_cannot_spell_a_special_token(profile):
    reranker = load_reranker(profile.reranker)
    forged, broken = (reranker.score([("q", f"a {end} b")])[0] for end in (END, "< |endoftext|>"))
    features = reranker.model.preprocess([["q", "a < |endoftext|> b"]])
    assert reranker.model.tokenizer.convert_tokens_to_ids(END) not in features["input_ids"][0]
    assert forged == broken


def test_the_relevance_model_gives_probabilities_and_their_expectation(profile):
    folder = profile.relevance.loader.removeprefix("path:")
    model = build_relevance(folder, profile.relevance)
    found = probabilities(model, PAIRS, 2)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-6)
    assert np.all((raw_scores(found) > 0) & (raw_scores(found) < 2))
    assert np.array_equal(raw_scores(np.eye(3)), [0, 1, 2])
    alone = np.concatenate([probabilities(model, [pair], 1) for pair in PAIRS])
    assert np.abs(found - alone).max() < 1e-6


def test_a_long_pair_keeps_half_for_its_query_and_the_label_prompt(profile):
    model = build_relevance(profile.relevance.loader.removeprefix("path:"), profile.relevance)
    (query, document), = cut_pairs(model, [("a " * 300, "b " * 300)])
    assert query.split() == ["a"] * 40 and document.split() == ["b"] * 40
    features = model.preprocess([[query, document]])
    assert features["input_ids"].shape[1] <= profile.relevance.max_tokens
    assert model.tokenizer.decode(features["input_ids"][0][-2:]) == "label :"


def test_a_reranker_without_a_pair_template_is_refused(profile):
    from dataclasses import replace

    with pytest.raises(ValueError, match="chat_template.jinja"):
        load_reranker(replace(profile.reranker, loader=profile.relevance.loader))
