"""A finished run on the sample web, made once a session by the real command line, shared by pytest's workers.

MATHPINPOINT_TEST_HOME names a finished home to start from, so that only what is new is run.
"""

import os
import pickle
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock
from homes import SECONDS, cli, copied, measured, said
from killing import Finished, finished_run
from truths import Truth, truth_of

from mathpinpoint.sampling import SHIPPED


@dataclass(frozen=True)
class Run:
    """A finished home, what the run printed, and the most memory that its processes held."""

    home: Path
    result: subprocess.CompletedProcess[str]
    peak_bytes: int


# Files of tests in the order in which workers take them: the sample run first, what takes minutes next, so that
# one worker has it while the other goes on; the many short tests fill up the end.
FIRST = (
    "run", "kill", "rounds", "reference", "hostile", "concurrency", "diff_of_policies", "retriever_verbs",
    "duplicate_reviews", "import_verb",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test here the time of the run that the first of them waits for; put the longest files first."""
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        if not item.path.is_relative_to(here):
            return len(FIRST) + 1
        name = item.path.stem.removeprefix("test_")
        return FIRST.index(name) if name in FIRST else len(FIRST)

    for item in items:
        if item.path.is_relative_to(here) and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SECONDS))
    items.sort(key=place)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this session of pytest share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def sample_run(shared: Path) -> Run:
    """Made by the first worker that asks for it; the others wait."""
    home, told = shared / "sample" / "home", shared / "sample.pickle"
    with FileLock(shared / "sample.lock"):
        if not told.exists():
            if finished := os.environ.get("MATHPINPOINT_TEST_HOME"):
                shutil.copytree(finished, home)
            told.write_bytes(pickle.dumps(measured(home, "run", "--home", home)))
    result, peak_bytes = pickle.loads(told.read_bytes())
    assert result.returncode == 0, said(result)
    return Run(home, result, peak_bytes)


@pytest.fixture(scope="session")
def finished(shared: Path) -> Finished:
    """A finished run over a small web that nobody disturbed: to be read only."""
    with FileLock(shared / "small.lock"):
        return finished_run(shared)


@pytest.fixture(scope="session")
def sample_home(sample_run: Run) -> Path:
    """The finished home: to be read only."""
    return sample_run.home


@pytest.fixture(scope="session")
def sample_release(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the finished home, written by itself."""
    folder = tmp_path_factory.mktemp("release") / "one"
    result = cli(sample_home, "release", folder)
    assert result.returncode == 0, said(result)
    return folder


@pytest.fixture
def home_copy(sample_home: Path, tmp_path: Path) -> Path:
    """The finished home again, to be changed."""
    return copied(sample_home, tmp_path / "home")


@pytest.fixture(scope="session")
def sample_truth(sample_home: Path) -> Truth:
    """What is true of every page of the sample web, by the page's id."""
    return truth_of({"shipped": SHIPPED, "generated": sample_home / "sample" / "generated"})
