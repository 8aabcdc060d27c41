"""Runs the sample LLM: in this process, or in a child that a context manager stops."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .completions import MODELS

_START_SECONDS = 120.0


def serve(
    truth: Path | Sequence[Path],
    *,
    host: str,
    port: int,
    disagreement: float,
    seed: int,
    misbehave: dict[str, float] | None,
    models: Sequence[str] = MODELS,
    port_file: Path | None = None,
    ends_with_stdin: bool = False,
) -> None:
    """Serve until SIGTERM; port 0 takes a free one, `port_file` gets its number once it listens.

    With `ends_with_stdin` the server also ends when its standard input closes, so that a child
    does not outlive a parent that was killed. Raises ValueError for a bad truth or rate.
    """
    import uvicorn

    from .oracle import read_oracle
    from .server import SampleLlm, make_app

    paths = [truth] if isinstance(truth, Path) else list(truth)
    app = make_app(SampleLlm(read_oracle(paths), disagreement, seed, misbehave, models))
    listener = socket.create_server((host, port), backlog=1024)
    config = uvicorn.Config(
        app, http="h11", ws="none", lifespan="off", log_level="critical", access_log=False,
        timeout_graceful_shutdown=1, timeout_keep_alive=60,
    )  # fmt: skip
    server = uvicorn.Server(config)
    if ends_with_stdin:
        threading.Thread(target=_end_with_stdin, args=(server,), daemon=True).start()
    if port_file is not None:
        beside = port_file.with_name(port_file.name + ".part")
        beside.write_text(f"{listener.getsockname()[1]}\n")
        os.replace(beside, port_file)
    server.run(sockets=[listener])


def _end_with_stdin(server: Any) -> None:
    sys.stdin.read()
    server.should_exit = True


class SampleServer:
    """A sample LLM in a child process, on a free port of 127.0.0.1; ready when entered."""

    def __init__(
        self,
        truth: Path | Sequence[Path],
        *,
        disagreement: float,
        seed: int,
        misbehave: dict[str, float] | None = None,
        models: Sequence[str] = MODELS,
    ) -> None:
        paths = [truth] if isinstance(truth, Path) else truth
        self._arguments = [str(path) for path in paths]
        self._arguments += ["--disagreement", str(disagreement), "--seed", str(seed)]
        self._arguments += ["--misbehave", json.dumps(misbehave or {}), "--models", *models]
        self._arguments.append("--ends-with-stdin")
        self._process: subprocess.Popen[bytes] | None = None
        self.root_url = ""  # http://127.0.0.1:PORT: /counts, /misbehave, /reset
        self.base_url = ""  # http://127.0.0.1:PORT/v1

    def __enter__(self) -> "SampleServer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the child and wait until it listens. Raises RuntimeError where it ends instead."""
        with tempfile.TemporaryDirectory() as folder:
            port_file, log = Path(folder, "port"), Path(folder, "log")
            command = [sys.executable, "-m", "mathpinpoint.sample.llm", *self._arguments]
            with log.open("wb") as errors:
                self._process = subprocess.Popen(
                    [*command, "--port", "0", "--port-file", str(port_file)],
                    stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
                )  # fmt: skip
            deadline = time.monotonic() + _START_SECONDS
            while not port_file.exists():
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise RuntimeError(f"The sample LLM did not start: {log.read_text()[-2000:]}")
                time.sleep(0.02)
            self.root_url = f"http://127.0.0.1:{int(port_file.read_text())}"
        self.base_url = self.root_url + "/v1"

    def stop(self) -> None:
        """Stop the child and wait for its end."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process = None

    def counts(self) -> dict[str, Any]:
        """Give what was asked since the start or the last reset."""
        return _call(self.root_url + "/counts", None)

    def set_misbehaviour(self, rates: dict[str, float]) -> None:
        """Replace the rates of misbehaviour; what is not named is off."""
        _call(self.root_url + "/misbehave", rates)

    def reset(self) -> None:
        """Set the counts to zero."""
        _call(self.root_url + "/reset", {})


def _call(url: str, body: dict[str, Any] | None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=30) as reply:
        return json.loads(reply.read())
