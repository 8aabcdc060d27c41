"""The documentation's numbers are those of the finished sample run."""

from pathlib import Path

import pytest

from mathpinpoint.audit.docs import main


def test_no_number_in_the_documentation_is_stale(sample_home: Path, capsys: pytest.CaptureFixture):
    is_stale = main(["--home", str(sample_home), "--check"])
    assert not is_stale, capsys.readouterr()
