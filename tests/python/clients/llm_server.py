"""A scripted chat-completions server over real HTTP, for the tests of the LLM client."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mathpinpoint.clients.llm import request_key

Script = Callable[[int, dict], Response | float]  # (number of the request, body); float: stall


def completion(content: object, model: str = "m-1", **choice: object) -> Response:
    """A whole reply with `content` as the message."""
    message = {"role": "assistant", "content": content, "refusal": choice.pop("refusal", None)}
    body = {
        "id": "c", "object": "chat.completion", "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": message, **choice}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }
    return Response(json.dumps(body), media_type="application/json", headers={"x-request-id": "r1"})


class Server:
    """A running server: `base_url`, and `asked`, the (request key, headers, time) it has seen."""

    def __init__(self, script: Script) -> None:
        self.asked: list[tuple[str, dict[str, str], float]] = []
        self.at_once = self.most_at_once = 0
        self.script = script

    async def answer(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append((request_key(body), dict(request.headers), time.monotonic()))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            reply = self.script(len(self.asked), body)
            if isinstance(reply, float):
                await asyncio.sleep(reply)
                reply = completion('{"late": true}')
            return reply
        finally:
            self.at_once -= 1


@contextmanager
def serving(script: Script):
    """Serve on a free port of the loopback interface until the block ends."""
    server = Server(script)
    app = Starlette(routes=[Route("/v1/chat/completions", server.answer, methods=["POST"])])
    config = uvicorn.Config(app, port=0, log_level="critical", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    server.base_url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        running.should_exit = True
        thread.join(10)
