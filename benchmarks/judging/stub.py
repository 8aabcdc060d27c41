"""A server that costs little: it answers every chat completion with the same reply after a while, and counts.

`python stub.py SECONDS` prints its port, then for each line that it reads how many requests came since the last one.
"""

import asyncio
import json
import sys

CONTENT = {
    "task_id": "pair", "guideline_version": "1", "query_evaluable": True, "score": 2, "answer_validity": "correct",
    "reason_codes": ["full_solution"], "confidence": 0.93,
    "rationale": "The page states this very problem and derives the value in full; each step was checked. " * 3,
}
BODY = json.dumps({
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1",
    "choices": [{
        "index": 0, "finish_reason": "stop", "logprobs": None,
        "message": {"role": "assistant", "content": json.dumps(CONTENT), "refusal": None},
    }],
    "usage": {"prompt_tokens": 2400, "completion_tokens": 160, "total_tokens": 2560},
}).encode()
REPLY = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_1\r\n"
    b"x-ratelimit-limit-requests: 30000\r\nx-ratelimit-remaining-requests: 29000\r\n"
    b"x-ratelimit-reset-requests: 2ms\r\nx-ratelimit-limit-tokens: 180000000\r\n"
    b"x-ratelimit-remaining-tokens: 179990000\r\nx-ratelimit-reset-tokens: 1ms\r\n"
    b"content-length: %d\r\n\r\n" % len(BODY)
) + BODY


class Connection(asyncio.Protocol):
    """One connection; its requests come one after the other."""

    n_requests = 0
    seconds = 0.0

    def connection_made(self, transport) -> None:
        self.transport, self.data = transport, bytearray()

    def data_received(self, data: bytes) -> None:
        self.data += data
        while (end := self.data.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.data[:end]).lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            if len(self.data) < end + 4 + length:
                return
            del self.data[: end + 4 + length]
            Connection.n_requests += 1
            asyncio.get_running_loop().call_later(self.seconds, self.transport.write, REPLY)


async def main(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    Connection.seconds = seconds
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(Connection.n_requests, flush=True)
        Connection.n_requests = 0


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
