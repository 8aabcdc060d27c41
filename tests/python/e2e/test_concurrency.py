"""Several processes over one home, a home that cannot be written, shards that are away or broken."""

import ctypes
import subprocess
import sys
import time
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from homes import cli, environment, hashes, landed, said
from killing import copy_of, running

pytestmark = pytest.mark.timeout(900)  # the shared run comes first
QUESTION = "select count(*) as n from corpus.pages"
AWAY = ("token_counts", "embeddings", "query_checks")  # the tables whose shard is deleted
NOBODY = "http://127.0.0.1:9/v1"  # an endpoint that answers nothing
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1


@pytest.fixture(scope="module")
def crowded(finished, tmp_path_factory):
    """A run that lands deleted shards again while a second run and questions come in between."""
    home = copy_of(finished.home, tmp_path_factory.mktemp("crowded") / "home", *AWAY)
    seen = SimpleNamespace(home=home, questions=[])
    with finished.web.llm() as server, running(finished.web, home, server.base_url) as run:
        assert run.wait_for(1), run.printed
        seen.second = cli(home, *finished.web.arguments(home, server.base_url))
        while run.process.poll() is None and len(seen.questions) < 12:
            seen.questions.append(cli(home, "query", QUESTION, "--home", home))
            time.sleep(1)
        seen.code, seen.printed, seen.pid = run.wait(), run.printed, run.process.pid
        seen.n_requests = server.counts()["requests"]
    return seen


def one_line(result):
    """The only line that a command which failed has printed."""
    assert result.returncode == 2 and result.stdout == "", said(result)
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: "), line
    return line


@pytest.mark.slow
def test_a_second_run_ends_with_one_line_that_names_the_first(crowded):
    line = one_line(crowded.second)
    assert f"{crowded.home} is in use by the process with PID {crowded.pid}." in line


@pytest.mark.slow
def test_a_question_while_a_run_lands_is_answered_or_told_to_wait(crowded):
    answered = [one for one in crowded.questions if one.returncode == 0]
    print(f"{len(answered)} of {len(crowded.questions)} questions were answered")
    assert crowded.questions and all("60" in one.stdout for one in answered)
    for one in crowded.questions:
        assert one in answered or "The warehouse is in use" in one_line(one)


@pytest.mark.slow
def test_deleted_shards_are_landed_again_and_the_release_is_the_same(finished, crowded):
    assert crowded.code == 0, crowded.printed
    for table in AWAY:
        assert shards(crowded.home, table) == shards(finished.home, table)
    assert crowded.n_requests == len(landed(finished.home, "query_checks"))
    for table in ("reranker_scores", "relevance_scores", "llm_replies", "trained_models"):
        assert f"  {table}: nothing pending" in crowded.printed
    assert hashes(crowded.home / "releases") == hashes(finished.home / "releases")


def shards(home, table):
    """The table's shards by name, without the time of landing and what a server's clock adds."""
    clock = {"landed_at", "sent_at", "latency_seconds", "provider_request_id", "raw"}
    return {
        path.name: [
            {key: value for key, value in row.items() if key not in clock}
            for row in pq.read_table(path).to_pylist()
        ]
        for path in (home / "landed" / table).glob("*.parquet")
    }


@pytest.mark.slow
def test_a_broken_shard_is_named_with_what_to_do(finished, tmp_path):
    home = copy_of(finished.home, tmp_path / "home")
    path = max((home / "landed" / "token_counts").glob("*.parquet"), key=lambda one: one.stat().st_size)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    result = cli(home, *finished.web.arguments(home, NOBODY))
    assert result.returncode == 2 and "Traceback" not in result.stderr, said(result)
    for part in (f"{path} is not a whole Parquet file", "Move it away", "run the same command again"):
        assert part in result.stderr, said(result)


@pytest.mark.parametrize("verb", ["run", "query"])
def test_a_damaged_warehouse_is_to_be_deleted(tmp_path, verb):
    path = tmp_path / "warehouse.duckdb"
    path.write_text("This is no database.")
    (tmp_path / "page.md").write_text("What is $1 + 1$? It is $2$.")
    arguments = {"run": ("--pages", tmp_path / "page.md"), "query": (QUESTION,)}
    line = one_line(cli(tmp_path, verb, *arguments[verb], "--home", tmp_path))
    assert f"{path} is damaged" in line and "delete it and warehouse.duckdb.wal" in line


def without_override():
    """Make root obey the permissions of files in the program that starts."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


@pytest.mark.parametrize("place", ["there", "to be made"])
def test_a_home_that_cannot_be_written_is_told_in_one_sentence(tmp_path, place):
    folder = tmp_path / "read_only"
    folder.mkdir()
    folder.chmod(0o555)
    home = folder if place == "there" else folder / "home"
    page = tmp_path / "page.md"
    page.write_text("What is $1 + 1$? It is $2$.")
    command = [sys.executable, "-m", "mathpinpoint.cli", "run", "--pages", str(page), "--home", str(home)]
    result = subprocess.run(
        command, env=environment(home), capture_output=True, text=True, preexec_fn=without_override,
    )
    folder.chmod(0o755)
    line = one_line(result)
    print(line)
    assert f"{home} cannot be written" in line and "--home" in line
