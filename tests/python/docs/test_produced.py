"""Blocks are produced from a warehouse, and nothing else of a page changes."""

from pathlib import Path

import duckdb
import pytest

from mathpinpoint.audit.docs import blocks, main, pages, produced, stale
from mathpinpoint.warehouse import Warehouse, WarehouseError

PAGE = "Before.\n\n<!-- produced: self_consistency -->\n{}<!-- end -->\n\nAfter.\n"
EXPECTED = """```console
$ mathpinpoint query "select source_label, candidate_label, count(*) as n_pairs
  from judging.repeated_judgments group by all order by all"
source_label  candidate_label  n_pairs
------------  ---------------  -------
2             1                1
2             2                2
```
"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """A warehouse of one table, beside a project of one page."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (project / "docs").mkdir(parents=True)
    (project / "dbt_project.yml").touch()
    (project / "README.md").write_text(PAGE.format(""), encoding="utf-8")
    with duckdb.connect(str(home / "warehouse.duckdb")) as connection:
        connection.execute("create schema judging")
        connection.execute(
            "create table judging.repeated_judgments as"
            " from (values (2, 2), (2, 1), (2, 2)) as pairs (source_label, candidate_label)"
        )
    return Warehouse(home, project)


def test_a_block_shows_the_command_above_its_output(warehouse: Warehouse):
    assert produced("self_consistency", warehouse) == EXPECTED


def test_rewriting_changes_the_block_alone_and_is_done_once(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setenv("MATHPINPOINT_PROJECT", str(warehouse.project))
    home = ["--home", str(warehouse.home)]
    assert main([*home, "--check"]) == 1
    assert "README.md: self_consistency is stale" in capsys.readouterr().out
    assert main(home) == 0
    assert (warehouse.project / "README.md").read_text(encoding="utf-8") == PAGE.format(EXPECTED)
    assert main([*home, "--check"]) == 0
    assert stale(warehouse) == {}


def test_a_wrong_number_is_stale(warehouse: Warehouse):
    wrong = EXPECTED.replace("2             2                2", "2             2                3")
    page = warehouse.project / "docs" / "judging.md"
    page.write_text(PAGE.format(wrong), encoding="utf-8")
    assert stale(warehouse)[page] == {"self_consistency": EXPECTED}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- produced: no_such_block -->\n<!-- end -->\n", "no block is named no_such_block"),
        ("<!-- produced: leaks -->\n", "a block is not closed"),
        ("<!-- produced: leaks -->\n<!-- produced: leaks -->\n<!-- end -->\n", "a block is not closed"),
    ],
)
def test_a_block_that_cannot_be_produced_is_named(warehouse: Warehouse, text: str, message: str):
    page = warehouse.project / "README.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(WarehouseError, match=message):
        list(blocks(page))


def test_a_home_without_a_warehouse_is_an_error_with_the_next_command(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setenv("MATHPINPOINT_PROJECT", str(warehouse.project))
    assert main(["--home", str(tmp_path / "nothing")]) == 2
    assert "mathpinpoint run" in capsys.readouterr().err


def test_the_readme_and_all_of_docs_are_read(warehouse: Warehouse):
    nested = warehouse.project / "docs" / "decisions" / "0001-one.md"
    nested.parent.mkdir()
    nested.write_text("# One\n", encoding="utf-8")
    assert pages(warehouse.project) == [warehouse.project / "README.md", nested]
