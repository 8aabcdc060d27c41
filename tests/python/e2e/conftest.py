"""A finished run on the sample web, made once a session by the real command line.

MATHPINPOINT_TEST_HOME names a finished home to start from, so that only what is new is run.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from homes import SECONDS, cli, copied, measured, said
from truths import Truth, truth_of

from mathpinpoint.sampling import SHIPPED


@dataclass(frozen=True)
class Run:
    """A finished home, what the run printed, and the most memory that its processes held."""

    home: Path
    result: subprocess.CompletedProcess[str]
    peak_bytes: int


# These take minutes: `make test` leaves them out, `make soak` runs them.
LONG = (
    "concurrency", "diff_of_policies", "import_verb", "kill", "reference", "retriever_verbs", "rounds",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test here the time of the run that the first of them waits for; mark the long ones."""
    here = Path(__file__).parent
    for item in items:
        if not item.path.is_relative_to(here):
            continue
        if not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SECONDS))
        if item.path.stem.removeprefix("test_") in LONG:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def sample_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    home = tmp_path_factory.mktemp("sample") / "home"
    if finished := os.environ.get("MATHPINPOINT_TEST_HOME"):
        shutil.copytree(finished, home)
    result, peak_bytes = measured(home, "run", "--home", home)
    assert result.returncode == 0, said(result)
    return Run(home, result, peak_bytes)


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
