"""Profiles: what they hold, and what a mistake in one is told."""

import pickle

import pytest

from mathpinpoint.clients import profiles


def _write(folder, change):
    values = profiles.sections("sample")
    change(values)
    path = folder / "mine.toml"
    path.write_text(profiles.to_toml(values), encoding="utf-8")
    return path


def test_the_profiles_of_the_package_load_and_can_be_sent_to_another_process():
    assert profiles.names() == ["reference", "sample", "static"]
    for name in profiles.names():
        profile = profiles.load(name)
        assert profile.name == name
        assert pickle.loads(pickle.dumps(profile)) == profile


def test_the_names_of_the_sample():
    sample, static = profiles.load("sample"), profiles.load("static")
    assert sample.encoder.model == "all-minilm-l6-v2"
    assert sample.reranker.model == "maxsim-all-minilm-l6-v2"
    assert sample.tokenizer.model == "all-minilm-l6-v2"
    assert sample.relevance.base_model == "tiny-qwen3"
    assert {sample.judge.model, sample.query_writer.model, sample.query_checker.model} == {
        "sample-truth"
    }
    assert sample.second_query_checker.model == "sample-second"
    assert static.encoder.model == "static-minilm"
    assert static.reranker == sample.reranker


def test_a_profile_written_out_loads_as_the_same_profile(tmp_path):
    path = _write(tmp_path, lambda values: None)
    assert profiles.load(path).encoder == profiles.load("sample").encoder


def test_a_path_in_a_profile_is_relative_to_its_file(tmp_path):
    path = _write(tmp_path, lambda values: values["encoder"].update(loader="path:weights"))
    assert profiles.load(str(path)).encoder.loader == f"path:{tmp_path / 'weights'}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v["encoder"].update(pooling="max"), r"\[encoder\] pooling must be one of mean"),
        (lambda v: v["encoder"].update(max_tokens="many"), r"\[encoder\] max_tokens must be int"),
        (lambda v: v["encoder"].update(loader="http://x"), r"loader must be one of package:"),
        (lambda v: v["reranker"].pop("kind"), r"keys of \[reranker\]: missing \['kind'\]"),
        (lambda v: v["judge"].update(key="sk-1"), r"keys of \[judge\].* unknown \['key'\]"),
        (lambda v: v.pop("judge"), r"sections: missing \['judge'\]"),
        (lambda v: v["retriever"].update(seeds=[]), r"seeds must be a list of int"),
        (lambda v: v["relevance"].update(steps=True), r"steps must be int"),
    ],
)
def test_a_mistake_is_named_with_file_key_and_what_is_allowed(tmp_path, change, message):
    path = _write(tmp_path, change)
    with pytest.raises(ValueError, match=f"mine.toml: .*{message}"):
        profiles.load(path)


def test_an_unknown_profile_is_told_the_names():
    with pytest.raises(ValueError, match="reference, sample, static"):
        profiles.load("nothing")
