"""Rate limits that a server announces in its headers, kept before they are hit."""

import asyncio
import re
import time
from collections.abc import Mapping
from math import inf
from typing import Any

KINDS = ("requests", "tokens")
CHARS_PER_TOKEN = 4  # of an estimate
COMPLETION_LIMITS = ("max_completion_tokens", "max_tokens")
LOOK_SECONDS = 0.05  # between looks while only a reply can tell


class RateLimits:
    """What is left of requests and of tokens until a limit's reset, as the last reply said.

    What is in flight is taken off, though the server may have counted some of it: rather too few than too many are
    sent. After its reset a limit is whole again; before the first reply none is known.
    """

    def __init__(self, max_wait_seconds: float) -> None:
        self._max_wait_seconds = max_wait_seconds
        self._known: dict[str, tuple[float, float, float]] = {}  # kind: (left, limit, time of the reset)
        self._in_flight = dict.fromkeys(KINDS, 0)

    async def take(self, tokens: int) -> None:
        """Wait until there is room for a request of so many tokens, then count it as in flight."""
        needed = {"requests": 1, "tokens": tokens}
        while (wait := max((self._wait(kind, needed[kind]) for kind in self._known), default=0.0)) > 0:
            await asyncio.sleep(wait)
        for kind in KINDS:
            self._in_flight[kind] += needed[kind]

    def give_back(self, tokens: int, headers: Mapping[str, str]) -> None:
        """Take a request out of what is in flight, and note what its reply says of the limits."""
        self._in_flight["requests"] -= 1
        self._in_flight["tokens"] -= tokens
        for kind in KINDS:
            left = headers.get(f"x-ratelimit-remaining-{kind}", "")
            if left.isdigit():
                limit = headers.get(f"x-ratelimit-limit-{kind}", "")
                wait = min(seconds(headers.get(f"x-ratelimit-reset-{kind}", "")), self._max_wait_seconds)
                self._known[kind] = (int(left), int(limit) if limit.isdigit() else inf, time.monotonic() + wait)

    def _wait(self, kind: str, needed: int) -> float:
        left, limit, reset_at = self._known[kind]
        until_reset, in_flight = reset_at - time.monotonic(), self._in_flight[kind]
        if until_reset <= 0:
            left = limit if in_flight else inf  # alone, even what is larger than the limit goes
        return 0.0 if left - in_flight >= needed else max(until_reset, LOOK_SECONDS)


def expected_tokens(body: Mapping[str, Any]) -> int:
    """What a server sets aside for a request: its texts, estimated, and all completion tokens that it allows."""
    chars = sum(len(message["content"]) for message in body["messages"])
    return chars // CHARS_PER_TOKEN + next((body[name] for name in COMPLETION_LIMITS if name in body), 0)


def seconds(text: str) -> float:
    """The seconds in '6m0s', '120ms', '1.5s' or '12'."""
    units = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "": 1.0}
    found = re.findall(r"(\d+(?:\.\d+)?)(ms|[dhms]|)", text)
    return sum(float(number) * units[unit] for number, unit in found)
