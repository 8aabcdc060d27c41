"""Where the benchmarks that run here write: never over the figures of a full run."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def figures_folder(tmp_path_factory) -> Iterator[Path]:
    """The folder of the figures, named to this process and to those that it starts."""
    folder = tmp_path_factory.mktemp("figures")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MATHPINPOINT_FIGURES", str(folder))
        yield folder
