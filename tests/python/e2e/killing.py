"""A small web and its LLM for runs that are killed, stopped or share a home; a finished run of it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from homes import environment

from mathpinpoint.clients import profiles
from mathpinpoint.pipeline import STAGES
from mathpinpoint.sample.generate import write_web
from mathpinpoint.sample.llm.process import SampleServer

PAGES, SEED, STEPS = 60, 5, 12
SLOW = {"slow": 1.0, "slow_seconds": 0.2}  # so that a moment can fall while requests are in flight
ORDER = ("pages", *STAGES, "dbt build", "release")  # evaluation_items says nothing the second time
INTERRUPTIBLE = ("env", "--default-signal=INT")  # also where a shell runs the tests in the background
LINE = re.compile(r"  (\w+|dbt build): ")


@dataclass(frozen=True)
class Web:
    """Where a web is, and the profile that its runs use."""

    folder: Path
    profile: Path

    def llm(self, misbehave: dict[str, float] | None = None) -> SampleServer:
        """The LLM that knows the web, to be entered: it outlives a run."""
        truth = self.folder / "truth.jsonl"
        return SampleServer(truth, disagreement=0.05, seed=7, misbehave=misbehave)

    def arguments(self, home: Path, base_url: str) -> list[str]:
        """The arguments of `run` over this web in `home`."""
        return [
            "run", "--pages", str(self.folder / "pages"), "--profile", str(self.profile),
            "--evaluation", f"contest={self.folder / 'evaluation' / 'contest.jsonl'}",
            "--base-url", base_url, "--home", str(home),
        ]


@dataclass(frozen=True)
class Finished:
    """A finished run: its home (to be read only), when each stage of ORDER ended, what was asked."""

    web: Web
    home: Path
    ends: list[float]  # seconds since the start
    counts: dict  # of the LLM


class Running:
    """`mathpinpoint run` in a process group of its own, its lines read as they come."""

    def __init__(self, web: Web, home: Path, base_url: str):
        command = [*INTERRUPTIBLE, sys.executable, "-u", "-m", "mathpinpoint.cli", *web.arguments(home, base_url)]
        self.home, self.lines = home, []
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            command, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append((time.monotonic() - self.start, line))

    @property
    def ends(self) -> list[float]:
        """When the stages of ORDER ended, as far as they did."""
        found: list[float] = []
        for moment, line in list(self.lines):
            match = LINE.match(line)
            if match and match[1] == ORDER[len(found)]:
                found.append(moment)
        return found

    @property
    def printed(self) -> str:
        return "".join(line for _, line in self.lines)

    def wait_for(self, n_stages: int) -> bool:
        """Wait until so many stages ended; False where the run ends before."""
        while len(self.ends) < n_stages and self.process.poll() is None:
            time.sleep(0.02)
        return self.process.poll() is None

    def wait(self) -> int:
        """Wait for the end; gives the exit code."""
        self.process.wait(timeout=800)
        self._reader.join(timeout=10)
        return self.process.returncode

    def signal(self, which: signal.Signals) -> int:
        """Send a signal to the whole group, as a terminal or a scheduler does; gives the exit code."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, which)
        return self.wait()

    def leftovers(self) -> list[psutil.Process]:
        """Processes of this home that are alive ten seconds after the run ended."""
        end = time.monotonic() + 10
        while (alive := [one for one in psutil.process_iter() if self._is_ours(one)]) and (
            time.monotonic() < end
        ):
            time.sleep(0.1)
        return alive

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("MATHPINPOINT_HOME") == str(self.home)
        except psutil.Error:
            return False


@contextmanager
def running(web: Web, home: Path, base_url: str):
    """A run that is killed where the test leaves it alive."""
    run = Running(web, home, base_url)
    try:
        yield run
    finally:
        run.signal(signal.SIGKILL)


def small_web(folder: Path) -> Web:
    """A web of PAGES pages, and the profile `sample` with STEPS steps of training."""
    write_web(folder / "web", pages=PAGES, seed=SEED)
    sections = profiles.sections("sample")
    sections["relevance"]["steps"] = STEPS
    profile = folder / "sample.toml"
    profile.write_text(profiles.to_toml(sections), encoding="utf-8")
    return Web(folder / "web", profile)


def finished_run(base: Path) -> Finished:
    """The small web, and a run over it that nobody disturbs, made once a session under `base`.

    MATHPINPOINT_TEST_SMALL names a folder that keeps it for the next session.
    """
    folder = Path(os.environ.get("MATHPINPOINT_TEST_SMALL", base / "small"))
    home, kept = folder / "home", folder / "finished.json"
    if not kept.exists():
        web = small_web(folder)
        with web.llm(SLOW) as server, running(web, home, server.base_url) as run:
            assert run.wait() == 0, run.printed
            ends = [*run.ends, run.lines[-1][0]]
            kept.write_text(json.dumps([ends, server.counts()]))
    return Finished(Web(folder / "web", folder / "sample.toml"), home, *json.loads(kept.read_text()))


def copy_of(home: Path, target: Path, *without: str) -> Path:
    """A copy of a home in which nothing of the tables `without` has landed."""
    shutil.copytree(home, target, ignore=shutil.ignore_patterns("spill"))
    for table in without:
        for shard in (target / "landed" / table).glob("*.parquet"):
            shard.unlink()
    return target
