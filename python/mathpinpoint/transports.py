"""How a work list reaches an LLM: one request a call, or by the Batch API, as the profile says."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from mathpinpoint.clients.batch_api import BatchApi
from mathpinpoint.clients.batch_shards import BatchShards
from mathpinpoint.clients.budget import Budget
from mathpinpoint.clients.llm import ChatCompletions
from mathpinpoint.clients.profiles import LLMProfile, load
from mathpinpoint.land import batched, replies
from mathpinpoint.loading import NoEndpoint, require_cap

MAX_WAIT_SECONDS = 120.0
HTTP_ATTEMPTS = 5
MAX_TRANSPORT_FAILURES = 20
MAX_FRUITLESS_BATCHES = 3


def asker(
    table: str, role: str, settings: Any, models: list[str], budget: Budget, shards: BatchShards
) -> Callable[..., None]:
    """What asks a work list, online or by batches, as the profile says; raises before anything is paid.

    `shards` are the table's open batches: where there are any of the role, they are waited for in either case.
    """
    profile = load(settings.profile)
    spec = getattr(profile, role)
    base_url = settings.base_url or spec.base_url
    if not base_url:
        raise NoEndpoint(
            f"{table} needs an LLM and no endpoint is set. Name an OpenAI-compatible server with --base-url URL, "
            f"MATHPINPOINT_BASE_URL, or base_url under [{role}] of {profile.path}; nothing was sent. "
            "`mathpinpoint status` shows what it would cost."
        )
    require_cap(table, base_url, models, budget)
    online = partial(
        replies.ask, client=online_client(base_url, spec), max_transport_failures=MAX_TRANSPORT_FAILURES, budget=budget
    )
    by_batch = partial(
        batched.ask, client=batch_client(base_url, spec), shards=shards, role=role,
        limits=batched.BatchLimits(**asdict(profile.batches)), max_fruitless=MAX_FRUITLESS_BATCHES, budget=budget,
    )
    if spec.transport == "batch":
        return by_batch

    def both(batches: Any, **options: Any) -> None:
        if shards.of_role(role):
            by_batch(iter(()), **options)
        online(batches, **options)

    return both


def online_client(base_url: str, spec: LLMProfile) -> ChatCompletions:
    """The client of one request a call."""
    return ChatCompletions(
        base_url=base_url,
        api_key_env=spec.api_key_env,
        concurrency=spec.concurrency,
        deadline_seconds=spec.deadline_seconds,
        attempts=HTTP_ATTEMPTS,
        max_wait_seconds=MAX_WAIT_SECONDS,
    )


def batch_client(base_url: str, spec: LLMProfile) -> BatchApi:
    """The client of the Batch API."""
    return BatchApi(
        base_url=base_url, api_key_env=spec.api_key_env, attempts=HTTP_ATTEMPTS, deadline_seconds=spec.deadline_seconds
    )
