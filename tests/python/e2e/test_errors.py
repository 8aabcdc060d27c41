"""What the command line says where something is wrong, and with which exit code it ends."""

import json
import shutil

import pytest
from homes import MODELS_ONLY, cli, copied, dbt, hashes, landed, parsed, rows, said

from mathpinpoint import publishing
from mathpinpoint.sampling import SHIPPED
from mathpinpoint.warehouse import Warehouse

SITE = SHIPPED / "pages" / "slateboard"


def _fails(result, *parts, code=2):
    """Assert that a command ended with an exit code and one message that holds some parts."""
    assert result.returncode == code, said(result)
    printed = " ".join((result.stdout if code == 1 else result.stderr).split())
    assert "Traceback" not in printed
    for part in parts:
        assert part in printed, said(result)


def test_without_an_endpoint_a_run_stops_before_anything_is_paid(tmp_path):
    home = tmp_path / "home"
    _fails(
        cli(home, "run", "--pages", SITE, "--home", home),
        "query_extractions needs an LLM and no endpoint is set", "--base-url", "MATHPINPOINT_BASE_URL",
        "[query_writer]", "nothing was sent",
    )
    n_pages = len(list(SITE.rglob("*.html")))
    assert len(landed(home, "pages")) == len(landed(home, "page_texts")) == n_pages > 0
    assert {row["outcome"] for row in landed(home, "page_texts")} == {"ok"}
    assert landed(home, "query_extractions") == []
    assert rows(home, "select count(*) from queries.pending_query_extractions")[0][0] > 0


def test_a_loader_that_is_not_there_is_named(tmp_path):
    _fails(cli(tmp_path, "land", "page_text"), "no loader of 'page_text'", "mathpinpoint land --help")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path):
    missing = tmp_path / "nowhere"
    for verb in (("run",), ("land", "pages")):
        _fails(cli(tmp_path / "home", *verb, "--pages", missing), "--pages", str(missing), "does not exist")
    _fails(cli(tmp_path / "home", "status"), "is not built yet", "mathpinpoint run")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("sql", "part"),
    [
        ("selec 1", "DuckDB cannot read this"),
        ("select 1; select 2", "exactly one SELECT statement"),
        ("drop table judging.judgments", "exactly one SELECT statement"),
        ("select nothing from nowhere", "show all tables"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(sample_home, sql, part):
    _fails(cli(sample_home, "query", sql), part)


def test_an_id_that_is_not_there_says_where_to_look(sample_home):
    query_id, doc_id = rows(sample_home, "select query_id, doc_id from judging.judgments order by all limit 1")[0]
    _fails(
        cli(sample_home, "explain", "p_none", doc_id), "p_none is not in queries.queries",
        "queries.query_exclusions where query_id = 'p_none'",
    )
    _fails(
        cli(sample_home, "explain", query_id, "d_none"), "d_none is not in corpus.documents",
        "corpus.survivors where doc_id = 'd_none'",
    )


def test_answers_as_json_are_json(sample_home):
    judged = parsed(cli(sample_home, "query", "select count(*) as n from judging.judgments", "--json"))
    assert judged == [{"n": rows(sample_home, "select count(*) from judging.judgments")[0][0]}]
    tables = {row["table"]: row for row in parsed(cli(sample_home, "status", "--json"))}
    assert tables["pages"]["landed"] == len(landed(sample_home, "pages"))
    assert all(row["pending"] in (0, None) for row in tables.values())


@pytest.mark.parametrize(
    "option, value, parts",
    [
        ("--policy", "nonsense", ["'nonsense' is no policy of seeds/policy/policies.csv, which knows v1, v2"]),
        ("--base-url", "http://example.org/v1", ["http://example.org/v1", "must be https", "--base-url"]),
        ("--workers", "0", ["--workers", "greater than or equal to 1"]),
    ],
)
def test_a_wrong_option_is_named_before_a_page_is_landed(tmp_path, option, value, parts):
    home = tmp_path / "home"
    _fails(cli(home, "run", "--pages", SITE, "--home", home, option, value), *parts)
    assert not [path for path in home.rglob("landed/pages/*") if path.name != "empty.parquet"]


def test_a_column_named_twice_is_not_lost_in_json(sample_home):
    _fails(cli(sample_home, "query", "select 1 as a, 2 as a", "--json"), "Two columns are called a", "AS")


def test_a_release_where_nothing_can_be_written_is_told_in_one_sentence(sample_home, tmp_path):
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "file" / "release", "/proc/release"):
        _fails(cli(sample_home, "release", folder), "Nothing can be written in", "Name another folder.")


def test_a_release_is_the_same_bytes_each_time(sample_home, sample_release, tmp_path):
    newest = max((sample_home / "releases").iterdir(), key=lambda folder: folder.stat().st_mtime)
    assert hashes(newest) == hashes(sample_release)
    for _ in range(2):
        again = cli(sample_home, "release", tmp_path / "two")
        assert again.returncode == 0, said(again)
        assert hashes(tmp_path / "two") == hashes(sample_release)


def test_a_release_sorted_in_many_ranges_is_the_same_bytes(sample_home, sample_release, tmp_path, monkeypatch):
    monkeypatch.setattr(publishing, "QUERIES_PER_RANGE", 7)
    publishing.publish(Warehouse(sample_home), tmp_path / "two")
    assert hashes(tmp_path / "two") == hashes(sample_release)


def test_a_release_of_other_content_is_replaced_only_when_asked(sample_home, sample_release, tmp_path):
    taken = shutil.copytree(sample_release, tmp_path / "taken")
    (taken / "README.md").write_text("something else")
    _fails(cli(sample_home, "release", taken), str(taken))
    assert (taken / "README.md").read_text() == "something else"
    again = cli(sample_home, "release", taken, "--replace")
    assert again.returncode == 0, said(again)
    assert hashes(taken) == hashes(sample_release)


def test_a_folder_that_is_no_release_is_never_replaced(sample_home, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    _fails(cli(sample_home, "release", tmp_path, "--replace"), "is no release")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_warehouse_that_is_not_built_whole_is_not_released(sample_home, sample_release, tmp_path):
    home = copied(sample_home, tmp_path / "home")
    part = dbt(home, "build", "--select", "page_documents")
    assert part.returncode == 0, said(part)
    _fails(cli(home, "release", tmp_path / "release"), "The last build made 1 of", "dbt build")
    whole = dbt(home, "build", *MODELS_ONLY)
    assert whole.returncode == 0, said(whole)
    assert cli(home, "release", tmp_path / "release").returncode == 0
    assert hashes(tmp_path / "release") == hashes(sample_release)


def test_a_flipped_byte_of_a_release_is_found(sample_home, sample_release, tmp_path):
    right = cli(sample_home, "verify", sample_release)
    assert right.returncode == 0 and "nothing is wrong" in right.stdout
    damaged = shutil.copytree(sample_release, tmp_path / "damaged")
    (file,) = (damaged / "corpus").glob("*.parquet")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    _fails(cli(sample_home, "verify", damaged), f"corpus/{file.name}: has sha256 ", code=1)


def test_a_release_names_what_it_was_made_with(sample_home, sample_release):
    croissant = json.loads(next(sample_release.glob("*.json")).read_text())
    assert croissant["@context"]
    card = (sample_release / "README.md").read_text()
    assert rows(sample_home, "select prompt_sha256 from judging.judge_task")[0][0] in card
