"""`dbt build` by itself: without network, without the pipeline, from nothing but landed facts."""

import shutil
import subprocess
import sys

import pytest
from homes import cli, copied, dbt, environment, hashes, rows, said


@pytest.fixture(scope="module")
def offline():
    """A prefix that runs a command without any network."""
    prefix = (shutil.which("unshare") or "unshare", "-n")
    try:
        tried = subprocess.run([*prefix, "true"], capture_output=True, timeout=20)
    except OSError as error:
        pytest.skip(f"no way to take the network away: {error}")
    if tried.returncode:
        pytest.skip(f"no way to take the network away: {tried.stderr.decode().strip()}")
    return prefix


@pytest.fixture(scope="module")
def rebuilt(sample_home, tmp_path_factory, offline):
    """The finished home built anew: no warehouse, one thread, no network."""
    home = copied(sample_home, tmp_path_factory.mktemp("alone") / "home")
    (home / "warehouse.duckdb").unlink()
    shutil.rmtree(home / "target")
    built = dbt(home, "build", prefix=offline, MATHPINPOINT_THREADS="1")
    assert built.returncode == 0, said(built)
    return home, built


def test_a_finished_home_builds_anew_without_network(rebuilt, sample_home):
    home, built = rebuilt
    assert "ERROR=0" in built.stdout and "WARN=0" in built.stdout
    for table in ("release.judgments", "release.queries", "release.corpus", "training.rows"):
        count = f"select count(*) from {table}"
        assert rows(home, count) == rows(sample_home, count)
    assert hashes(home / "landed") == hashes(sample_home / "landed")


def test_the_release_is_the_same_on_one_thread_and_after_the_warehouse_was_deleted(
    rebuilt, sample_release, tmp_path
):
    home, _ = rebuilt
    written = cli(home, "release", tmp_path / "again", MATHPINPOINT_THREADS="1")
    assert written.returncode == 0, said(written)
    assert hashes(tmp_path / "again") == hashes(sample_release)


def test_a_home_that_was_moved_is_built_from_its_own_facts(rebuilt, sample_home):
    home, _ = rebuilt
    views = rows(home, "select sql from duckdb_views() where not internal")
    assert views and not [sql for (sql,) in views if str(sample_home) in sql]


def test_an_empty_home_builds_without_network(tmp_path, offline):
    made = subprocess.run(
        [sys.executable, "-m", "mathpinpoint.warehouse", str(tmp_path)], env=environment(tmp_path),
        capture_output=True, text=True, timeout=60,
    )
    assert made.returncode == 0, said(made)
    built = dbt(tmp_path, "build", prefix=offline)
    assert built.returncode == 0, said(built)
    assert "ERROR=0" in built.stdout
    assert rows(tmp_path, "select count(*) from release.judgments") == [(0,)]
