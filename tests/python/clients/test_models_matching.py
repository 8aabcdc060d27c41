"""The start of the tiny relevance model does what its docstring says."""

import pytest

from mathpinpoint.clients import profiles
from mathpinpoint.clients.matching import FOUND, SEGMENT
from mathpinpoint.clients.relevance import build_relevance, probabilities, raw_scores
from mathpinpoint.clients.tiny import write_relevance_base

QUERY = "find x when 3 x + 17 = 50 for a green triangle"
RIGHT = "we have 3 x = 33 so x = 11 , with 17 removed from 50"
OTHER = "a circle of radius 9 has an area of 81 pi"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    profile = profiles.load("sample").relevance
    folder = tmp_path_factory.mktemp("base") / "weights"
    write_relevance_base(folder, profile.loader, seed=profile.seed)
    return build_relevance(str(folder), profile)


def test_layers_mark_the_query_and_what_of_it_the_document_holds(model):
    import torch

    features = model.preprocess([[QUERY, RIGHT]])
    tokens = model.tokenizer.convert_ids_to_tokens(features["input_ids"][0])
    with torch.inference_mode():
        states = model[0].model(features["input_ids"], output_hidden_states=True).hidden_states
    start = tokens.index("query")
    segment = states[1][0, :, SEGMENT]
    assert (segment[:start] < -2).all() and (segment[start:] > 2).all()
    found = dict(zip(tokens[start:], states[2][0, start:, FOUND].tolist(), strict=True))
    assert min(found[token] for token in ("x", "3", "17", "50")) > 1
    assert max(found[token] for token in ("green", "triangle")) < -1


def test_before_training_a_document_that_holds_the_query_scores_higher(model):
    query = "find x with 3 x + 17 = 50"
    right, other = raw_scores(probabilities(model, [(query, RIGHT), (query, OTHER)], 2))
    print(f"raw scores before training: {right:.2f} and {other:.2f}")
    assert right > other + 0.2
