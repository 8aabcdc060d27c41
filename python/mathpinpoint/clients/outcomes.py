"""What comes of a request to an LLM, and how a chat completion's body is read into it."""

import json
from dataclasses import dataclass
from typing import Any

RETRIED = (408, 409, 429)  # and every status from 500 on
ENDPOINT = (401, 403, 404, 407, 429, 502, 503, 504)  # wrong key, path, quota, or an outage
ERROR_CHARS = 500


@dataclass(frozen=True)
class Outcome:
    """What came of one request: the reply columns of a landed row.

    `status`: ok (a JSON body under 2xx), http_error, transport_error (no reply, or not JSON).
    Latency and `sent_at` (microseconds since 1970, UTC) are those of the last try.
    """

    status: str
    http_status: int | None
    error: str | None
    sent_at: int
    latency_seconds: float
    provider_request_id: str | None = None
    raw: str | None = None
    model_reported: str | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    content: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def is_passing(outcome: Outcome) -> bool:
    """May the same request succeed a moment later?"""
    status = outcome.http_status or 0
    return outcome.status == "transport_error" or status in RETRIED or status >= 500


def is_ascribed_to_endpoint(outcome: Outcome) -> bool:
    """Would any other request have failed alike? So it seems, until another one gets through."""
    return outcome.status == "transport_error" or outcome.http_status in ENDPOINT


def read_reply(status: int, request_id: str | None, text: str) -> dict[str, Any]:
    """The fields of the Outcome of a reply that came whole, its body `text`."""
    raw = _storable(text)
    known = {"http_status": status, "provider_request_id": request_id, "raw": raw}
    try:
        reply = json.loads(raw)
    except (ValueError, RecursionError):
        reply = None
    if status >= 300:
        return {**known, "status": "http_error", "error": _error_text(reply, raw)}
    if reply is None:
        return {**known, "status": "transport_error", "error": "the body is not JSON"}
    return {**known, "status": "ok", **_message_fields(reply)}


def no_reply(error: str) -> dict[str, Any]:
    """The fields of the Outcome of a request that got no reply."""
    return {"status": "transport_error", "http_status": None, "error": error[:ERROR_CHARS]}


def _error_text(reply: Any, raw: str) -> str:
    error = reply.get("error") if isinstance(reply, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return (message if isinstance(message, str) else raw)[:ERROR_CHARS]


def _message_fields(reply: Any) -> dict[str, Any]:
    reply = _object(reply)
    choices = reply.get("choices")
    choice = _object(choices[0] if isinstance(choices, list) and choices else None)
    message, usage = _object(choice.get("message")), _object(reply.get("usage"))
    return {
        "error": None if choice else "the reply has no choice",
        "model_reported": _text(reply.get("model")),
        "finish_reason": _text(choice.get("finish_reason")),
        "refusal": _text(message.get("refusal")),
        "content": _text(message.get("content")),
        "prompt_tokens": _count(usage.get("prompt_tokens")),
        "completion_tokens": _count(usage.get("completion_tokens")),
    }


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return _storable(value if isinstance(value, str) else json.dumps(value))


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**63 else None


def _storable(text: str) -> str:
    """The text with lone surrogates, which no Parquet string can hold, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
