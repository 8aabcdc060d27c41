"""Group commit over a journal: rows that wait together share one fsync."""

import asyncio
from typing import Any

from mathpinpoint.clients.journal import Journal

Row = dict[str, Any]


class Commits:
    """Group commit: rows that wait together share one fsync; none counts before it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[list[Row], asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def commit(self, rows: list[Row]) -> None:
        """Return when the rows are on the disk; raises OSError if they are not."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((rows, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await done

    async def drain(self) -> None:
        """Wait until nothing waits any more."""
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            rows = [row for rows, _ in group for row in rows]
            error: OSError | None = None
            try:
                await asyncio.to_thread(self._journal.extend, rows)
            except OSError as failure:
                error = failure
            for _, done in group:
                if not done.done():
                    done.set_exception(error) if error else done.set_result(None)
