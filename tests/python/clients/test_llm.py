"""The LLM client against a real HTTP server that misbehaves."""

import asyncio
import json
import logging
import time

import pytest
from llm_server import completion, serving
from starlette.responses import Response
from worklist import client

from mathpinpoint.clients.limits import seconds as seconds_of
from mathpinpoint.clients.llm import request_body, request_key

BODY = request_body(
    model="m-1", messages=[{"role": "user", "content": "α?"}], response_format={"type": "text"},
    ask=3, parameters='{"temperature": 0, "top_k": 5}',
)


def ask(one, *bodies):
    async def run():
        async with one:
            return await asyncio.gather(*(one.ask(body) for body in bodies or [BODY]))

    return asyncio.run(run())


def fails(times: int, reply: Response):
    return lambda number, body: reply if number <= times else completion("{}")


def failure(status: int, text: str = '{"error": {"message": "busy"}}', **headers: str) -> Response:
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(text, status, fields)


def test_body_and_key_are_canonical():
    assert BODY["seed"] == 3 and BODY["temperature"] == 0
    assert request_key(BODY) == request_key(dict(reversed(BODY.items())))
    assert request_key(BODY) != request_key(BODY | {"seed": 4})


@pytest.mark.parametrize("parameters", ['{"seed": 1}', '{"model": "x"}', "[1]", "3", "", "{"])
def test_parameters_that_would_replace_the_request_are_refused(parameters):
    with pytest.raises(ValueError, match="parameters must be a JSON object without"):
        request_body(model="m", messages=[], response_format={}, ask=1, parameters=parameters)


def test_every_field_of_a_reply_is_kept_and_the_body_arrives_whole():
    seen = []

    def script(number, body):
        seen.append(body)
        return completion('{"score": 2}', model="m-2")

    with serving(script) as server:
        [outcome] = ask(client(server.base_url))
    assert seen == [BODY] and server.asked[0][0] == request_key(BODY)
    assert (outcome.status, outcome.http_status, outcome.error) == ("ok", 200, None)
    assert (outcome.content, outcome.model_reported) == ('{"score": 2}', "m-2")
    assert (outcome.finish_reason, outcome.provider_request_id) == ("stop", "r1")
    assert (outcome.prompt_tokens, outcome.completion_tokens) == (7, 3)
    assert json.loads(outcome.raw)["id"] == "c" and outcome.latency_seconds > 0


def test_odd_replies_are_outcomes():
    replies = [
        completion(None, refusal="no"), completion('{"a', finish_reason="length"),
        Response("[]"), Response('{"choices": []}'), Response('{"choices": [{"message": 3}]}'),
        completion([{"type": "text"}]), completion("\ud800x"), completion("x", model=5),
        Response("[" * 100_000),
    ]
    with serving(lambda number, body: replies[(number - 1) % len(replies)]) as server:
        found = ask(client(server.base_url, concurrency=1, attempts=1), *[BODY] * len(replies))
    assert [one.status for one in found] == ["ok"] * 8 + ["transport_error"]
    assert found[0].refusal == "no" and found[0].content is None
    assert found[1].finish_reason == "length" and found[1].content == '{"a'
    assert found[2].error == found[3].error == "the reply has no choice"
    assert found[4].content is None and found[5].content == '[{"type": "text"}]'
    assert found[6].content == "\ufffdx" and found[7].model_reported == "5"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_passing_failures_are_tried_again(status):
    with serving(fails(2, failure(status, retry_after="0"))) as server:
        [outcome] = ask(client(server.base_url))
    assert outcome.status == "ok" and len(server.asked) == 3


@pytest.mark.parametrize(("status", "tries"), [(400, 1), (401, 1), (404, 1), (302, 1), (500, 3)])
def test_lasting_failures_are_outcomes(status, tries):
    reply = failure(status, retry_after="0", location="http://127.0.0.1:9/")
    with serving(fails(9, reply)) as server:
        [outcome] = ask(client(server.base_url))
    assert (outcome.status, outcome.http_status, outcome.error) == ("http_error", status, "busy")
    assert "busy" in outcome.raw and len(server.asked) == tries


def test_retry_after_is_obeyed_and_too_long_a_one_ends_the_tries():
    with serving(fails(1, failure(429, retry_after="1"))) as server:
        [outcome] = ask(client(server.base_url))
    assert outcome.status == "ok" and server.asked[1][2] - server.asked[0][2] >= 1.0
    with serving(fails(1, failure(429, retry_after="600"))) as server:
        start = time.monotonic()
        [outcome] = ask(client(server.base_url))
    assert outcome.http_status == 429 and time.monotonic() - start < 3


def test_without_remaining_requests_all_wait_for_the_reset():
    def script(number, body):
        reply = completion("{}")
        if number == 1:
            reply.headers.update({"x-ratelimit-remaining-requests": "0",
                                  "x-ratelimit-reset-requests": "1s"})
        return reply

    with serving(script) as server:
        ask(client(server.base_url, concurrency=1), *[BODY] * 3)
    first, second, _ = (at for _, _, at in server.asked)
    assert second - first >= 0.95


class Windows:
    """A server's limit of so many a window of time: says what is left, and refuses what is more."""

    def __init__(self, kind, limit, cost, seconds=0.4):
        self.kind, self.limit, self.cost, self.seconds = kind, limit, cost, seconds
        self.used, self.ends, self.refused = 0, 0.0, 0

    def __call__(self, number, body):
        if time.monotonic() >= self.ends:
            self.used, self.ends = 0, time.monotonic() + self.seconds
        self.used += self.cost
        is_over = self.used > self.limit
        self.refused += is_over
        reply = failure(429) if is_over else completion("{}")
        reply.headers.update({
            f"x-ratelimit-limit-{self.kind}": str(self.limit),
            f"x-ratelimit-remaining-{self.kind}": str(max(0, self.limit - self.used)),
            f"x-ratelimit-reset-{self.kind}": f"{int(1000 * (self.ends - time.monotonic())) + 1}ms",
        })
        return reply


@pytest.mark.parametrize(("kind", "limit", "cost"), [("requests", 20, 1), ("tokens", 20_000, 1000)])
def test_a_limit_is_kept_before_it_is_hit(kind, limit, cost):
    body = {**BODY, "max_tokens": 999, "messages": [{"role": "user", "content": "five"}]}
    with serving(Windows(kind, limit, cost)) as server:
        start = time.monotonic()
        found = ask(client(server.base_url, concurrency=8), *[body] * 70)
    assert [one.status for one in found] == ["ok"] * 70
    assert server.script.refused == 0 and len(server.asked) == 70
    assert 3 * 0.4 <= time.monotonic() - start < 5  # 70 requests are four windows of 20


def test_what_is_larger_than_a_limit_is_sent_alone():
    body = {**BODY, "max_tokens": 5000}
    with serving(Windows("tokens", 100, 50)) as server:
        assert {one.status for one in ask(client(server.base_url), *[body] * 3)} == {"ok"}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("6m0s", 360), ("120ms", 0.12), ("1h2m3.5s", 3723.5), ("12", 12), ("", 0)],
)
def test_reset_times(text, seconds):
    assert seconds_of(text) == pytest.approx(seconds)


def test_truncated_stalled_and_refused_replies_are_transport_errors():
    truncated = Response(completion("{}").body[:40])
    with serving(fails(9, truncated)) as server:
        [outcome] = ask(client(server.base_url, attempts=2))
    assert (outcome.status, outcome.error) == ("transport_error", "the body is not JSON")
    assert outcome.raw and outcome.http_status == 200 and len(server.asked) == 2
    with serving(lambda number, body: 3.0) as server:
        [outcome] = ask(client(server.base_url, attempts=1, deadline_seconds=0.5))
    assert outcome.status == "transport_error" and "within 0.5 seconds" in outcome.error
    [outcome] = ask(client(server.base_url, attempts=2))
    assert outcome.status == "transport_error" and "ConnectError" in outcome.error


def test_concurrency_is_bounded():
    def script(number, body):
        return 0.05

    with serving(script) as server:
        ask(client(server.base_url, concurrency=3), *[BODY] * 12)
    assert server.most_at_once <= 3 and len(server.asked) == 12


def test_key_is_sent_and_is_nowhere_else(monkeypatch, caplog):
    key = "sk-canary-0123456789"
    monkeypatch.setenv("TEST_LLM_KEY", key)
    caplog.set_level(logging.DEBUG)
    echo = failure(401, f'{{"error": {{"message": "Incorrect API key: {key}"}}}}', x_request_id=key)
    with serving(fails(1, echo)) as server:
        one = client(server.base_url, api_key_env="TEST_LLM_KEY")
        [outcome] = ask(one)
    assert server.asked[0][1]["authorization"] == f"Bearer {key}"
    assert outcome.error == "Incorrect API key: [key]"
    assert key not in repr(outcome) and key not in repr(one) and key not in caplog.text


def test_missing_key_is_named_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("TEST_LLM_KEY", raising=False)
    with pytest.raises(ValueError, match="TEST_LLM_KEY.*api_key_env.*export"):
        ask(client("https://llm.example/v1", api_key_env="TEST_LLM_KEY"))


@pytest.mark.parametrize(
    "url", ["http://llm.example/v1", "http://10.0.0.1/v1", "", "ftp://127.0.0.1", "127.0.0.1:80",
            "https://user:secret@llm.example/v1", "http://user:secret@llm.example/v1"]
)
def test_unsafe_addresses_are_refused_without_their_password(url):
    with pytest.raises(ValueError, match="base_url") as error:
        client(url)
    assert "secret" not in str(error.value)


def test_safe_addresses_are_taken():
    for url in ("https://llm.example/v1", "http://localhost:1/v1", "http://[::1]:8/v1"):
        assert client(url).base_url == url
