"""The profile `reference` on tiny random weights: the very same code, SQL, prompts and routing."""

import tomllib

import numpy as np
import pytest
from homes import cli, landed, parsed, rows, said, seed
from killing import small_web

from mathpinpoint.clients import profiles, tiny
from mathpinpoint.release.verify import verify_release
from mathpinpoint.sample.llm.process import SampleServer

pytestmark = pytest.mark.timeout(900)  # the shared run comes first
DIMENSIONS, LONG_TOKENS, STEPS = 64, 8144, 12
MODEL_KEYS = {
    "encoder": "model", "reranker": "model", "tokenizer": "model", "relevance": "base_model",
}


def tiny_reference(folder):
    """A profile named reference: its model and LLM names, their weights tiny and random."""
    made = tomllib.loads(tiny.write_tiny_reference(folder).read_text(encoding="utf-8"))
    real = profiles.sections("reference")
    for section, key in MODEL_KEYS.items():
        made[section][key] = real[section][key]
    llm_roles = (
        "judge", "query_writer", "query_checker", "second_query_checker", "same_problem_judge", "duplicate_reviewer",
    )
    for role in llm_roles:
        made[role] = real[role] | {"base_url": "", "api_key_env": "", "concurrency": 16}
    made["relevance"]["steps"] = STEPS
    profile = folder / "reference.toml"
    profile.write_text(profiles.to_toml(made), encoding="utf-8")
    return profile


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    return small_web(tmp_path_factory.mktemp("reference_web"))


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return tiny_reference(tmp_path_factory.mktemp("reference_models"))


@pytest.fixture(scope="module")
def server(web):
    models = sorted({row["model"] for row in seed("llm_tasks", profile="reference", policy="v2")})
    truth = web.folder / "truth.jsonl"
    with SampleServer(truth, disagreement=0.0, seed=7, models=models) as running:
        yield running


@pytest.fixture(scope="module")
def arguments(web, profile):
    contest = web.folder / "evaluation" / "contest.jsonl"
    return [
        "run", "--pages", web.folder / "pages", "--profile", profile,
        "--evaluation", f"contest={contest}",
    ]


@pytest.fixture(scope="module")
def before(arguments, tmp_path_factory):
    """A run that knows no endpoint: its home, how it ended, and what `status` then says."""
    home = tmp_path_factory.mktemp("reference") / "home"
    result = cli(home, *arguments)
    return home, result, parsed(cli(home, "status", "--json"))


@pytest.fixture(scope="module")
def home(before, arguments, server):
    """The same home, run to its end."""
    result = cli(before[0], *arguments, "--base-url", server.base_url)
    assert result.returncode == 0, said(result)
    assert "gpt-5.6-sol (profile reference)" in result.stdout
    return before[0]


@pytest.mark.slow
def test_status_shows_the_cost_before_anything_is_sent(before):
    _, result, status = before
    assert result.returncode == 2 and "nothing was sent. `mathpinpoint status`" in result.stderr
    (row,) = [row for row in status if row["table"] == "query_extractions"]
    print(row)
    assert row["model"] == "gpt-5.6-sol" and row["pending"] > 50
    assert row["prompt_tokens"] > 10_000 and row["completion_tokens"] > 10_000
    (price,) = seed("prices", model="gpt-5.6-sol")
    paid = sum(
        row[f"{kind}_tokens"] * float(price[f"{side}_usd_per_million_tokens"]) / 1e6
        for kind, side in (("prompt", "input"), ("completion", "output"))
    )
    assert row["cost_usd"] == pytest.approx(paid) and paid > 0


@pytest.mark.slow
def test_the_release_is_right_and_names_the_reference_models(home):
    (release,) = (home / "releases").iterdir()
    assert verify_release(release) == []
    card = (release / "README.md").read_text(encoding="utf-8")
    for section, key in MODEL_KEYS.items():
        assert profiles.sections("reference")[section][key] in card
    assert "gpt-5.6-sol" in card


@pytest.mark.slow
def test_each_stage_that_has_pairs_got_its_judge(home):
    assigned = rows(home, "select distinct stage, judge from judging.assignments")
    wanted = {stage: judge for stage, judge in sorted(assigned, reverse=True)}  # llm before rm8b
    labelled = rows(home, "select stage, judge, count(*) from judging.judgments group by all")
    print(labelled)
    assert {"dense_top5", "rerank_top5", "short_doc"} <= set(wanted)
    assert {(stage, judge) for stage, judge, _ in labelled} == set(wanted.items())
    waiting = (
        "select count(*) from judging.assignments anti join judging.judgments"
        " using (query_id, doc_id) where stage <> 'source_page'"  # its queries may be dropped
    )
    assert rows(home, waiting) == [(0,)]
    models = rows(home, "select distinct model, model_reported from landed.llm_replies")
    assert models == [("gpt-5.6-sol", "gpt-5.6-sol")]


@pytest.mark.slow
def test_embeddings_are_the_tiny_encoders_of_unit_norm(home):
    found = landed(home, "embeddings")
    vectors = np.array([row["vector"] for row in found])
    assert vectors.shape == (len(found), DIMENSIONS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert {row["model"] for row in found} == {"Qwen/Qwen3-Embedding-4B"}
    assert {row["kind"] for row in found} == {"document", "query", "evaluation_item"}


@pytest.mark.slow
def test_scores_are_expected_labels(home):
    found = landed(home, "relevance_scores")
    chances = np.array([[row[f"probability_{label}"] for label in range(3)] for row in found])
    assert len(found) and np.allclose(chances.sum(axis=1), 1, atol=1e-6) and (chances > 0).all()
    scores = np.array([row["raw_score"] for row in found])
    assert np.allclose(scores, chances @ [0, 1, 2], atol=1e-6)
    (model,) = landed(home, "trained_models")
    assert {row["model"] for row in found} == {model["model_id"]}
    assert model["base_model"] == "Qwen/Qwen3-Reranker-8B"


@pytest.mark.slow
def test_documents_are_counted_by_the_reranker_and_none_is_long(home):
    found = landed(home, "token_counts")
    assert {row["tokenizer"] for row in found} == {"Qwen/Qwen3-Reranker-4B"}
    assert 0 < max(row["n_tokens"] for row in found) <= LONG_TOKENS
    limit = "select long_tokens from staging.active_policy"
    assert rows(home, limit) == [(LONG_TOKENS,)]
    long = "select count(*) from judging.assignments where stage like '%long%'"
    assert rows(home, long) == [(0,)]
