"""Chat completions: a request's body in, the provider's reply out, with its faults."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .answers import Answers
from .fences import read_fences, text_of
from .misbehave import CONTENT, Misbehaviour, spoil

MODELS = ("sample-truth", "sample-second")  # the names that the server has unless it is given others
CREATED = 1_700_000_000  # replies depend on the request alone, so their time is fixed


class RequestError(Exception):
    """A request that cannot be answered, with its HTTP status and the provider's code."""

    def __init__(self, status: int, code: str, message: str, retry_after: float | None = None):
        super().__init__(message)
        self.status, self.code, self.retry_after = status, code, retry_after

    def body(self) -> dict[str, Any]:
        """Give the error as the API words it."""
        kind = {429: "rate_limit_error", 500: "server_error"}.get(
            self.status, "invalid_request_error"
        )
        return {"error": {"message": str(self), "type": kind, "code": self.code, "param": None}}


@dataclass
class Counts:
    """What was asked since the start or the last reset."""

    requests: int = 0  # chat requests received over HTTP, answered or not
    batch_requests: int = 0  # lines of batches worked off
    answered: int = 0  # replies of status 200 made for either
    prompt_tokens: int = 0  # that these replies report
    completion_tokens: int = 0
    bodies: set[str] = field(default_factory=set)
    by_prompt: Counter[str] = field(default_factory=Counter)
    by_fault: Counter[str] = field(default_factory=Counter)
    files: int = 0
    batches: int = 0

    def report(self) -> dict[str, Any]:
        """Give the counts as the JSON object of GET /counts."""
        values = {name: value for name, value in vars(self).items() if name != "bodies"}
        return values | {"distinct_bodies": len(self.bodies)}


def body_key(body: dict[str, Any]) -> str:
    """Give the sha256 of the body, the order of its keys set aside."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def request_id(key: str) -> str:
    """Give the id of one arrival of a request."""
    return "req_" + hashlib.sha256(key.encode()).hexdigest()[:24]


def _n_tokens(text: str) -> int:
    return -(-len(text) // 4)


def _task(body: dict[str, Any], models: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Read the schema's name and the schema. Raises RequestError."""
    if body.get("model") not in models:
        message = f"The model {body.get('model')!r} does not exist; this server has {', '.join(models)}."
        raise RequestError(404, "model_not_found", message)
    if body.get("stream"):
        raise RequestError(400, "unsupported_value", "This server does not stream.")
    wanted = (body.get("response_format") or {}).get("json_schema") or {}
    is_asked = isinstance(body.get("messages"), list) and bool(body["messages"])
    if not is_asked or not isinstance(wanted.get("schema"), dict):
        message = "A request needs messages, and a response_format of type json_schema."
        raise RequestError(400, "invalid_request", message)
    return wanted.get("name", ""), wanted["schema"]


class Completions:
    """Makes replies and counts them."""

    def __init__(self, answers: Answers, misbehaviour: Misbehaviour, models: Sequence[str]) -> None:
        self.models = models
        self._answers = answers
        self._misbehaviour = misbehaviour
        self.counts = Counts()

    def note(self, body: dict[str, Any], is_batch: bool) -> tuple[str, str]:
        """Count an arrival; give the body's key and the arrival's."""
        key = body_key(body)
        if is_batch:
            self.counts.batch_requests += 1
        else:
            self.counts.requests += 1
        self.counts.bodies.add(key)
        name = ((body.get("response_format") or {}).get("json_schema") or {}).get("name", "")
        self.counts.by_prompt[name] += 1
        return key, self._misbehaviour.arrive(key)

    def refuse(self, fault: str | None) -> None:
        """Raise the RequestError that a fault is; count it in any case."""
        if fault is not None:
            self.counts.by_fault[fault] += 1
        if fault == "rate_limit":
            seconds = self._misbehaviour.setting("retry_after_seconds")
            raise RequestError(429, "rate_limit_exceeded", "Rate limit reached.", seconds)
        if fault == "server_error":
            raise RequestError(500, "server_error", "The server had an error.")

    def reply(self, body: dict[str, Any], key: str, arrival: str) -> dict[str, Any]:
        """Answer a request, or answer it badly. Raises RequestError."""
        name, schema = _task(body, self.models)
        try:
            answer = self._answers.answer(name, schema, read_fences(body["messages"]), key)
        except ValueError as error:
            raise RequestError(400, "invalid_request", str(error)) from error
        content = json.dumps(answer, ensure_ascii=False)
        prompt = "".join(text_of(message.get("content")) for message in body["messages"])
        reply = _completion(key, body["model"], content, _n_tokens(prompt))
        fault = self._misbehaviour.fault(CONTENT, arrival)
        if fault is not None:
            self.counts.by_fault[fault] += 1
        self.counts.answered += 1
        reply = _within(spoil(reply, fault, arrival), body)
        self.counts.prompt_tokens += reply["usage"]["prompt_tokens"]
        self.counts.completion_tokens += reply["usage"]["completion_tokens"]
        return reply


def _completion(key: str, model: str, content: str, prompt_tokens: int) -> dict[str, Any]:
    completion_tokens = _n_tokens(content)
    message = {"role": "assistant", "content": content, "refusal": None}
    return {
        "id": "chatcmpl-" + key[:24],
        "object": "chat.completion",
        "created": CREATED,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
        "system_fingerprint": "fp_sample",
    }


def _within(reply: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Cut the content at the request's own limit of tokens."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    usage, choice = reply["usage"], reply["choices"][0]
    content = choice["message"]["content"]
    if limit and content is not None and _n_tokens(content) > limit:
        choice["message"]["content"] = content[: 4 * limit]
        choice["finish_reason"] = "length"
    usage["completion_tokens"] = _n_tokens(choice["message"]["content"] or "")
    usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
    return reply
