"""The HTTP side of the sample LLM: routes, and faults that only a connection can show."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from .answers import Answers
from .batches import Batches
from .completions import CREATED, Completions, Counts, RequestError, request_id
from .misbehave import TRANSPORT, Misbehaviour
from .oracle import Oracle
from .uploads import read_upload


class _Dropped(Response):
    """Closes the connection without an answer."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["mathpinpoint.close"]()
        await receive()


class _Truncated(Response):
    """Sends half of its body, then closes the connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        half = self.body[: len(self.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        scope["mathpinpoint.close"]()
        await receive()


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    text = json.dumps(value)
    return Response(text, status, headers, media_type="application/json")


def _listing(rows: list[dict[str, Any]], request: Request) -> Response:
    """Give a page of rows, `limit` of them after the id `after`."""
    ids = [row["id"] for row in rows]
    after = request.query_params.get("after")
    start = ids.index(after) + 1 if after in ids else 0
    end = start + int(request.query_params.get("limit", 100))
    first_last = {"first_id": ids[start:end][:1], "last_id": ids[start:end][-1:]}
    return _json(
        {"object": "list", "data": rows[start:end], "has_more": end < len(rows)}
        | {name: found[0] if found else None for name, found in first_last.items()}
    )


class SampleLlm:
    """The state of one server and the endpoints over it."""

    def __init__(
        self,
        oracle: Oracle,
        disagreement: float,
        seed: int,
        misbehave: dict[str, float] | None,
        models: Sequence[str],
    ) -> None:
        """Raises ValueError for a misbehaviour that is not known."""
        self._misbehaviour = Misbehaviour(misbehave, seed)
        answers = Answers(oracle, disagreement, seed)
        self._completions = Completions(answers, self._misbehaviour, models)
        self._batches = Batches(self._completions, self._misbehaviour, seed)

    async def chat(self, request: Request) -> Response:
        """Answer POST /v1/chat/completions."""
        body = await _body(request)
        key, arrival = self._completions.note(body, is_batch=False)
        headers = {"x-request-id": request_id(arrival)}
        if self._misbehaviour.happens("slow", arrival):
            self._completions.counts.by_fault["slow"] += 1
            await asyncio.sleep(self._misbehaviour.setting("slow_seconds"))
        fault = self._misbehaviour.fault(TRANSPORT, arrival)
        try:
            self._completions.refuse(fault)
            if fault == "drop":
                return _Dropped()
            reply = json.dumps(self._completions.reply(body, key, arrival))
        except RequestError as error:
            if error.retry_after is not None:
                headers["retry-after"] = f"{error.retry_after:g}"
            return _json(error.body(), error.status, headers)
        kind = _Truncated if fault == "truncated_body" else Response
        return kind(reply, headers=headers, media_type="application/json")

    async def models(self, request: Request) -> Response:
        """Answer GET /v1/models."""
        about = {"object": "model", "created": CREATED, "owned_by": "mathpinpoint"}
        return _json({"object": "list", "data": [{"id": name} | about for name in self._completions.models]})

    async def add_file(self, request: Request) -> Response:
        """Answer POST /v1/files."""
        upload = read_upload(request.headers.get("content-type", ""), await request.body())
        self._completions.counts.files += 1
        file = self._batches.add_file(upload.filename, upload.purpose, upload.content)
        return _json(file.report())

    async def files(self, request: Request) -> Response:
        """Answer GET /v1/files, the newest first."""
        return _listing([file.report() for file in self._batches.files.values()][::-1], request)

    async def file(self, request: Request) -> Response:
        """Answer GET /v1/files/{id} and its content."""
        file = self._batches.files.get(request.path_params["id"])
        if file is None:
            raise RequestError(404, "not_found", f"No such file: {request.path_params['id']}")
        if request.url.path.endswith("/content"):
            return Response(file.content, media_type="application/octet-stream")
        return _json(file.report())

    async def add_batch(self, request: Request) -> Response:
        """Answer POST /v1/batches."""
        return _json(self._batches.create(await _body(request)))

    async def batches(self, request: Request) -> Response:
        """Answer GET /v1/batches, the newest first."""
        return _listing([self._batches.look(name) for name in self._batches.batches][::-1], request)

    async def batch(self, request: Request) -> Response:
        """Answer GET /v1/batches/{id}."""
        return _json(self._batches.look(request.path_params["id"]))

    async def cancel(self, request: Request) -> Response:
        """Answer POST /v1/batches/{id}/cancel."""
        return _json(self._batches.cancel(request.path_params["id"]))

    async def counts(self, request: Request) -> Response:
        """Answer GET /counts."""
        return _json(self._completions.counts.report())

    async def misbehave(self, request: Request) -> Response:
        """Answer POST /misbehave: the rates that hold from now on."""
        try:
            self._misbehaviour.set(await _body(request))
        except ValueError as error:
            raise RequestError(400, "invalid_rates", str(error)) from error
        return _json({"ok": True})

    async def reset(self, request: Request) -> Response:
        """Answer POST /reset: counts from zero; files, batches and rates stay."""
        self._completions.counts = Counts()
        return _json({"ok": True})


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise RequestError(400, "invalid_json", "The body is not JSON.") from error
    if not isinstance(body, dict):
        raise RequestError(400, "invalid_json", "The body is not a JSON object.")
    return body


async def _on_request_error(request: Request, error: RequestError) -> Response:
    return _json(error.body(), error.status)


def make_app(llm: SampleLlm) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Give the ASGI application; it lets a response close its connection."""
    get, post = ["GET"], ["POST"]
    routes = [
        Route("/v1/chat/completions", llm.chat, methods=post),
        Route("/v1/models", llm.models, methods=get),
        Route("/v1/files", llm.add_file, methods=post),
        Route("/v1/files", llm.files, methods=get),
        Route("/v1/files/{id}", llm.file, methods=get),
        Route("/v1/files/{id}/content", llm.file, methods=get),
        Route("/v1/batches", llm.add_batch, methods=post),
        Route("/v1/batches", llm.batches, methods=get),
        Route("/v1/batches/{id}", llm.batch, methods=get),
        Route("/v1/batches/{id}/cancel", llm.cancel, methods=post),
        Route("/counts", llm.counts, methods=get),
        Route("/misbehave", llm.misbehave, methods=post),
        Route("/reset", llm.reset, methods=post),
    ]
    inner = Starlette(routes=routes, exception_handlers={RequestError: _on_request_error})

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            # uvicorn's h11 cycle owns the transport; ASGI itself has no word for hanging up.
            scope["mathpinpoint.close"] = send.__self__.transport.close
        await inner(scope, receive, send)

    return app
