"""The Batch API of an OpenAI-compatible server: hand in a file of requests, find its batch again, fetch the results."""

import hashlib
import logging
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from mathpinpoint.clients.llm import NO_KEY, api_key, require_safe

ENDPOINT = "/v1/chat/completions"
WINDOW = "24h"  # the only one that the API knows
MARK = "shard_sha256"  # of a batch's metadata: what it was made of
ENDED = ("completed", "failed", "expired", "cancelled")
PAGE = 100  # batches a page of the server's list


class BatchApi:
    """The calls over the openai SDK; open it (`with`) first. What only reads is tried `attempts` times.

    What hands something in is never tried again here: a batch costs money, so that whoever got no answer looks
    (`find`) before another try. Raises the SDK's errors.
    """

    def __init__(self, *, base_url: str, api_key_env: str, attempts: int, deadline_seconds: float) -> None:
        require_safe(base_url)
        self.base_url, self.api_key_env, self.attempts = base_url, api_key_env, attempts
        self._deadline_seconds = deadline_seconds

    def __enter__(self) -> "BatchApi":
        import openai

        for name in ("openai", "httpx2", "httpcore2"):  # below WARNING they log headers
            logging.getLogger(name).setLevel(logging.WARNING)
        self._key = api_key(self.api_key_env)
        self._post = openai.OpenAI(
            api_key=self._key or NO_KEY, base_url=self.base_url, max_retries=0, timeout=self._deadline_seconds,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )
        self._get = self._post.with_options(max_retries=self.attempts)
        return self

    def __exit__(self, *exc: object) -> None:
        self._post.close()

    def submit(self, shard: Path, sha256: str) -> str:
        """Upload a file of requests and make a batch of it; its id. Neither call is tried twice."""
        with shard.open("rb") as content:
            file = self._post.files.create(file=(f"{sha256}.jsonl", content), purpose="batch")
        return self.create(file.id, sha256)

    def create(self, file_id: str, sha256: str) -> str:
        """Make a batch of an uploaded file: the one call that costs money."""
        return self._post.batches.create(
            input_file_id=file_id, endpoint=ENDPOINT, completion_window=WINDOW, metadata={MARK: sha256}
        ).id

    def find(self, sha256: str, known: Collection[str]) -> str | None:
        """The newest batch that was made of a shard and whose id is not `known`."""
        for batch in self._get.batches.list(limit=PAGE):
            if (batch.metadata or {}).get(MARK) == sha256 and batch.id not in known:
                return batch.id
        return None

    def look(self, batch_id: str) -> dict[str, Any] | None:
        """A batch as it is now; None where the server knows none of this id."""
        import openai

        try:
            return self._get.batches.retrieve(batch_id).to_dict()
        except openai.NotFoundError:
            return None

    def fetch(self, file_id: str, target: Path) -> None:
        """Write the content of a file; `target` is there, and on the disk, only if it came whole."""
        beside = target.with_name(target.name + ".part")
        with self._get.files.with_streaming_response.content(file_id) as reply, beside.open("wb") as out:
            rest = b""
            for piece in reply.iter_bytes():
                whole, end, rest = (rest + piece).rpartition(b"\n")
                out.write(self._redact(whole + end))
            out.write(self._redact(rest))
            out.flush()
            os.fsync(out.fileno())
        beside.rename(target)

    def _redact(self, text: bytes) -> bytes:
        return text.replace(self._key.encode(), b"[key]") if self._key else text


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
