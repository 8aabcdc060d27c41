"""An LLM behind an OpenAI-compatible server: one request in, one landable outcome out."""

import asyncio
import hashlib
import ipaddress
import json
import logging
import os
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

from mathpinpoint.clients.limits import RateLimits, expected_tokens
from mathpinpoint.clients.outcomes import Outcome, is_passing, no_reply, read_reply

RESERVED = ("model", "messages", "response_format", "seed", "stream", "n")
NO_KEY = "no-key"  # sent where the profile names no variable: a server of one's own


class LLM(Protocol):
    """Answers requests; never raises for what a server does."""

    async def ask(self, body: dict[str, Any]) -> Outcome:
        """Send one request body, wait for what comes of it."""


def request_body(
    *, model: str, messages: list[dict[str, str]], response_format: dict[str, Any], ask: int,
    parameters: str,
) -> dict[str, Any]:
    """The body of a chat completion; `parameters` is a JSON object that is merged into it."""
    try:
        merged = json.loads(parameters)
    except ValueError:
        merged = None
    if not isinstance(merged, dict) or set(merged) & set(RESERVED):
        raise ValueError(
            f"parameters must be a JSON object without {', '.join(RESERVED)}, not {parameters!r}. "
            "Correct the column parameters of the judge's policy row, then run dbt build."
        )
    fixed = {"model": model, "messages": messages, "response_format": response_format, "seed": ask}
    return {**merged, **fixed}


def request_key(body: dict[str, Any]) -> str:
    """The sha256 of the canonical body: JSON with sorted keys, without spaces, as UTF-8."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


class ChatCompletions:
    """The implementation over the openai SDK; open it (`async with`) before asking.

    `attempts` bounds the tries of one request, `deadline_seconds` each of them, and
    `max_wait_seconds` any one wait: a server that wants a longer one gets no further try.
    The key comes from the environment variable `api_key_env` ('' sends none) and is in no outcome.
    """

    def __init__(
        self, *, base_url: str, api_key_env: str, concurrency: int, deadline_seconds: float,
        attempts: int, max_wait_seconds: float,
    ) -> None:
        require_safe(base_url)
        self.base_url, self.api_key_env, self.concurrency = base_url, api_key_env, concurrency
        self._deadline_seconds, self._attempts = deadline_seconds, attempts
        self._max_wait_seconds = max_wait_seconds

    async def __aenter__(self) -> "ChatCompletions":
        import openai

        for name in ("openai", "httpx2", "httpcore2"):  # below WARNING they log headers
            logging.getLogger(name).setLevel(logging.WARNING)
        self._key = api_key(self.api_key_env)
        self._slots = asyncio.Semaphore(self.concurrency)
        self._limits = RateLimits(self._max_wait_seconds)
        self._sdk = openai.AsyncOpenAI(
            api_key=self._key or NO_KEY, base_url=self.base_url, max_retries=0,
            timeout=self._deadline_seconds,
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._sdk.close()

    async def ask(self, body: dict[str, Any]) -> Outcome:
        """Send the body, again after a passing failure; holds a slot to the end."""
        tokens = expected_tokens(body)
        async with self._slots:
            for count in range(1, self._attempts + 1):
                await self._limits.take(tokens)
                headers: Mapping[str, str] = {}
                try:
                    outcome, headers = await self._try(body)
                finally:
                    self._limits.give_back(tokens, headers)
                if not is_passing(outcome) or count == self._attempts:
                    break
                wait = _retry_after(headers)
                wait = _backoff_seconds(body, count) if wait is None else wait
                if wait > self._max_wait_seconds:
                    break
                await asyncio.sleep(wait)
        return outcome

    async def _try(self, body: dict[str, Any]) -> tuple[Outcome, Mapping[str, str]]:
        import httpx2
        import openai

        sent_at, start = time.time_ns() // 1000, time.monotonic()
        headers: Mapping[str, str] = {}
        try:
            async with asyncio.timeout(self._deadline_seconds):
                # not chat.completions.create: it copies every body, key by key, to check it against its types
                reply = await self._sdk.post("/chat/completions", body=body, cast_to=httpx2.Response)
            headers = reply.headers
            fields = self._read(reply.status_code, headers, reply.text)
        except openai.APIStatusError as error:
            headers = error.response.headers
            fields = self._read(error.status_code, headers, error.response.text)
        except (TimeoutError, openai.APITimeoutError):
            fields = no_reply(f"no whole reply within {self._deadline_seconds:g} seconds")
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            fields = no_reply(self._redact(f"{type(cause).__name__}: {cause}"))
        seconds = round(time.monotonic() - start, 6)
        return Outcome(sent_at=sent_at, latency_seconds=seconds, **fields), headers

    def _read(self, status: int, headers: Mapping[str, str], text: str) -> dict[str, Any]:
        request_id = self._redact(headers.get("x-request-id", ""))
        return read_reply(status, request_id or None, self._redact(text))

    def _redact(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def is_loopback(base_url: str) -> bool:
    """Is the endpoint this machine?"""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_safe(base_url: str) -> None:
    """Raise ValueError unless an endpoint is https, or this machine, and names no user or password."""
    parts = urlsplit(base_url)
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(base_url))):
        shown = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        raise ValueError(
            f"base_url {shown!r} must be https://…, or http:// to this machine (127.0.0.1). "
            "Correct --base-url, MATHPINPOINT_BASE_URL or base_url of the profile."
        )
    if parts.username or parts.password:
        raise ValueError("base_url must hold no user or password; name a variable in api_key_env.")


def api_key(variable: str) -> str:
    """The key in an environment variable, '' where none is named. Raises ValueError where it is not set."""
    key = os.environ.get(variable, "").strip() if variable else ""
    if variable and not key:
        raise ValueError(
            f"the environment variable {variable}, which api_key_env of the profile names, is "
            f"not set. Set it (export {variable}=…), then run again."
        )
    return key


def _backoff_seconds(body: dict[str, Any], count: int) -> float:
    """0.5, 1, 2, ... up to 30 seconds, times a share from 1/2 to 1 that request and try decide."""
    share = int(hashlib.sha256(f"{request_key(body)}:{count}".encode()).hexdigest()[:8], 16) / 2**32
    return min(30.0, 2.0 ** (count - 2)) * (0.5 + share / 2)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
