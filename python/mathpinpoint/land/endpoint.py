"""An endpoint that answers nobody, and the signals that end waiting for it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mathpinpoint.clients.batch_api import BatchApi


class EndpointDown(RuntimeError):
    """The endpoint answers nobody; nothing is lost, and no attempt is used up."""


@contextmanager
def server_errors(client: BatchApi) -> Iterator[None]:
    """Say what the SDK raises as the endpoint's failure; open batches stay open."""
    import openai

    try:
        yield
    except openai.APIError as error:
        key = client.api_key_env or "no variable"
        status = f"HTTP {error.status_code}: " if isinstance(error, openai.APIStatusError) else ""
        raise EndpointDown(
            f"{client.base_url} failed a call of the Batch API ({status}{error.message}). Check base_url and "
            f"api_key_env ({key}) in the profile, then run again. Every reply so far is kept, and every batch that "
            "was handed in is found again."
        ) from None


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise KeyboardInterrupt, where this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
