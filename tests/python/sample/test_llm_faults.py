"""Each misbehaviour of the sample LLM, and its batches, as the openai client sees them."""

import json
import time
from pathlib import Path

import jsonschema
import pytest
from llm_truth import CONGRUENCE, SUM, request, shown, write
from openai import (
    APIConnectionError,
    BadRequestError,
    InternalServerError,
    NotFoundError,
    OpenAI,
    RateLimitError,
)  # fmt: skip

from mathpinpoint.sample.llm import SampleServer

BODY = request("judgement", page=shown("sum"), query=SUM.statement)
SCHEMA = BODY["response_format"]["json_schema"]["schema"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    truth = write(tmp_path_factory.mktemp("truth") / "truth.jsonl")
    with SampleServer(truth, disagreement=0.0, seed=3) as running:
        yield running


@pytest.fixture
def client(server: SampleServer):
    server.set_misbehaviour({})
    server.reset()
    with OpenAI(base_url=server.base_url, api_key="none", max_retries=0, timeout=20) as asked:
        yield asked


def _choice(client: OpenAI, ask: int = 1):
    return client.chat.completions.create(**BODY | {"seed": ask}).choices[0]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("rate_limit", RateLimitError),
        ("server_error", InternalServerError),
        ("drop", APIConnectionError),
    ],
)
def test_a_fault_is_an_error_of_the_client(server, client, fault, error):
    server.set_misbehaviour({fault: 1.0, "retry_after_seconds": 3})
    with pytest.raises(error) as raised:
        _choice(client)
    if fault == "rate_limit":
        assert raised.value.response.headers["retry-after"] == "3"
        assert raised.value.request_id.startswith("req_")
    assert server.counts()["by_fault"] == {fault: 1}
    assert (server.counts()["requests"], server.counts()["answered"]) == (1, 0)


def test_a_truncated_body_does_not_pass_for_an_answer(server, client):
    server.set_misbehaviour({"truncated_body": 1.0})
    with pytest.raises((APIConnectionError, json.JSONDecodeError)):
        _choice(client)


def test_a_retry_may_succeed_and_a_body_may_always_fail(server, client):
    server.set_misbehaviour({"rate_limit": 0.5, "retry_after_seconds": 0.02})
    with OpenAI(base_url=server.base_url, api_key="none", max_retries=20) as patient:
        for ask in range(16):
            assert _choice(patient, ask).finish_reason == "stop"
    assert server.counts()["requests"] > server.counts()["answered"] == 16
    server.set_misbehaviour({"server_error": 0.5, "per_body": 1})

    def is_answered(ask: int) -> bool:
        try:
            return bool(_choice(client, ask))
        except InternalServerError:
            return False

    tries = [[is_answered(ask) for ask in range(20)] for _ in range(3)]
    assert tries[0] == tries[1] == tries[2]
    assert {True, False} == set(tries[0])


def test_a_slow_answer_is_the_right_one(server, client):
    server.set_misbehaviour({"slow": 1.0, "slow_seconds": 0.3})
    start = time.monotonic()
    assert json.loads(_choice(client).message.content)["score"] == 2
    assert time.monotonic() - start >= 0.3


def test_a_refusal_has_no_content(server, client):
    server.set_misbehaviour({"refusal": 1.0})
    message = _choice(client).message
    assert message.content is None and message.refusal


def test_a_cut_answer_says_so(server, client):
    server.set_misbehaviour({"length": 1.0})
    choice = _choice(client)
    assert choice.finish_reason == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(choice.message.content)
    server.set_misbehaviour({})
    reply = client.chat.completions.create(**BODY, max_completion_tokens=10)
    assert (reply.choices[0].finish_reason, reply.usage.completion_tokens) == ("length", 10)


def test_another_model_may_answer(server, client):
    server.set_misbehaviour({"other_model": 1.0})
    assert client.chat.completions.create(**BODY).model != BODY["model"]


@pytest.mark.parametrize("fault", ["invalid_json", "bad_escape"])
def test_content_may_be_no_json(server, client, fault):
    server.set_misbehaviour({fault: 1.0})
    content = _choice(client).message.content
    with pytest.raises(json.JSONDecodeError):
        json.loads(content)
    assert ("\\frac" in content) == (fault == "bad_escape")


def test_content_may_break_the_schema_in_each_way(server, client):
    server.set_misbehaviour({"wrong_schema": 1.0})
    seen = set()
    for ask in range(60):
        content = _choice(client, ask).message.content
        try:
            answer = json.loads(content)
        except json.JSONDecodeError:
            seen.add("fence" if content.startswith("```") else "two objects")
            continue
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(answer, SCHEMA)
        seen.add("missing" if set(answer) < set(SCHEMA["required"]) else answer["score"])
    assert seen == {"fence", "two objects", "missing", "2", 3, 2.5}


def test_a_bad_request_is_refused(server, client):
    with pytest.raises(BadRequestError, match="response_format"):
        client.chat.completions.create(**{**BODY, "response_format": {"type": "json_object"}})
    with pytest.raises(BadRequestError, match="quotes no query"):
        user = {"role": "user", "content": "no fences here"}
        client.chat.completions.create(**BODY | {"messages": [user]})


def _upload(client: OpenAI, ids: list[str]) -> str:
    url = "/v1/chat/completions"
    bodies = [BODY | {"seed": number} for number, _ in enumerate(ids)]
    lines = [
        json.dumps({"custom_id": name, "method": "POST", "url": url, "body": body})
        for name, body in zip(ids, bodies, strict=True)
    ]
    content = ("\n".join(lines) + "\n").encode()
    return client.files.create(file=("in.jsonl", content), purpose="batch").id


def _batch(client: OpenAI, ids: list[str]):
    window = {"endpoint": "/v1/chat/completions", "completion_window": "24h"}
    file_id = _upload(client, ids)
    return client.batches.create(input_file_id=file_id, metadata={"key": "k"}, **window)


def _rows(client: OpenAI, file_id: str | None) -> list[dict]:
    if file_id is None:
        return []
    return [json.loads(line) for line in client.files.content(file_id).text.splitlines()]


IDS = [f"pair-{number}" for number in range(20)]


def test_a_batch_comes_back_complete_and_out_of_order(server, client):
    created = _batch(client, IDS)
    assert created.status == "validating"
    done = client.batches.retrieve(created.id)
    assert (done.status, done.error_file_id, done.metadata) == ("completed", None, {"key": "k"})
    rows = _rows(client, done.output_file_id)
    found = [row["custom_id"] for row in rows]
    assert sorted(found) == sorted(IDS) and found != IDS
    online = client.chat.completions.create(**BODY | {"seed": int(found[0].split("-")[1])})
    assert rows[0]["response"]["body"] == json.loads(online.to_json())
    assert server.counts()["batch_requests"] == 20
    assert done.id in [batch.id for batch in client.batches.list(limit=1)]
    assert client.files.retrieve(done.output_file_id).purpose == "batch_output"


def test_a_batch_expires_with_part_of_its_lines(server, client):
    server.set_misbehaviour({"batch_expired": 1.0, "server_error": 0.6})
    done = client.batches.retrieve(_batch(client, IDS).id)
    assert done.status == "expired"
    errors = _rows(client, done.error_file_id)
    late = [row for row in errors if row["response"] is None]
    assert len(late) == 10 and late[0]["error"]["code"] == "batch_expired"
    failed = [row for row in errors if row["response"] is not None]
    assert failed and {row["response"]["status_code"] for row in failed} == {500}
    assert len(_rows(client, done.output_file_id)) + len(failed) == 10


def test_a_batch_may_lose_repeat_and_invent_lines(server, client):
    rates = {"batch_missing": 0.3, "batch_duplicate": 0.3, "batch_foreign": 0.3}
    server.set_misbehaviour(rates)
    done = client.batches.retrieve(_batch(client, IDS).id)
    found = [row["custom_id"] for row in _rows(client, done.output_file_id)]
    assert set(IDS) - set(found) and set(found) - set(IDS)
    assert any(found.count(name) == 2 for name in IDS)


def test_a_running_batch_can_be_cancelled(server, client):
    server.set_misbehaviour({"batch_seconds": 60})
    batch = _batch(client, IDS)
    assert client.batches.retrieve(batch.id).status == "in_progress"
    done = client.batches.cancel(batch.id)
    assert done.status == "cancelled"
    assert 0 < len(_rows(client, done.output_file_id)) < len(IDS)


def test_a_bad_batch_fails_and_says_why(server, client):
    done = client.batches.retrieve(_batch(client, ["a", "a"]).id)
    assert (done.status, done.output_file_id) == ("failed", None)
    assert done.errors.data[0].code == "duplicate_custom_id"
    server.set_misbehaviour({"batch_failed": 1.0})
    assert client.batches.retrieve(_batch(client, IDS).id).status == "failed"
    with pytest.raises(NotFoundError):
        client.batches.retrieve("batch_none")


def test_one_server_takes_several_truths(tmp_path: Path):
    truths = [write(tmp_path / "one.jsonl"), tmp_path / "two.jsonl"]
    truths[1].write_text("")
    with SampleServer(truths, disagreement=0.0, seed=1) as running:
        with OpenAI(base_url=running.base_url, api_key="none") as asked:
            body = request("query_check", query=CONGRUENCE.statement)
            content = asked.chat.completions.create(**body).choices[0].message.content
    assert json.loads(content)["self_contained"] is True
