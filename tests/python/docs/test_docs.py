"""The documentation is true: what it names exists, and its numbers are produced."""

import re
from importlib.util import find_spec
from pathlib import Path

import mentions
import pytest
from mentions import PAGES, REPO, known_tables

from mathpinpoint.audit.docs import blocks, pages
from mathpinpoint.audit.docs_blocks import BLOCKS
from mathpinpoint.schemas import LANDED

EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
MAX_README_LINES = 120
MAX_LINE_CHARS = 120


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len(text_of(REPO / "README.md").splitlines()) <= MAX_README_LINES


@EVERY_PAGE
def test_every_link_leads_somewhere(page: Path):
    for target in mentions.links(text_of(page)):
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), target
        assert not anchor or anchor in mentions.anchors(there), target


@EVERY_PAGE
def test_every_file_named_is_there(page: Path):
    assert [path for path in mentions.paths(text_of(page)) if not mentions.is_there(path)] == []


@EVERY_PAGE
def test_every_make_target_is_one(page: Path):
    targets = set(re.findall(r"^([a-z]+):", (REPO / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {name for part in mentions.code(text_of(page)) for name in re.findall(r"(?<!\w)make ([a-z]+)", part)}
    assert named <= targets


@EVERY_PAGE
def test_every_command_is_one_and_has_its_options(page: Path):
    for words in mentions.commands(text_of(page)):
        command = mentions.verb_of(words)
        assert not getattr(command, "commands", None), words
        line = " ".join(words).split('"')[0]
        assert set(mentions.OPTION.findall(line)) <= mentions.options_of(command), words


@EVERY_PAGE
def test_every_option_named_alone_is_one(page: Path):
    parts = (part for part in mentions.code(text_of(page)) if "dbt build" not in part)
    named = {option for part in parts for option in mentions.OPTION.findall(part)}
    assert named <= mentions.known_options()


@EVERY_PAGE
def test_every_module_named_is_one(page: Path):
    for name in re.findall(r"\bmathpinpoint(?:\.[a-z_]+)+", text_of(page)):
        assert find_spec(name), name


@EVERY_PAGE
def test_every_table_named_is_one(page: Path):
    assert set(mentions.tables(text_of(page))) <= known_tables()


@EVERY_PAGE
def test_lines_can_be_read_side_by_side(page: Path):
    """Tables and what is produced apart."""
    prose = re.sub(r"<!-- produced: .*?<!-- end -->", "", text_of(page), flags=re.DOTALL)
    assert [line for line in prose.splitlines() if len(line) > MAX_LINE_CHARS and line[0] != "|"] == []


def test_every_block_is_filled_and_used():
    found = [(name, content) for page in pages(REPO) for name, content in blocks(page)]
    assert [name for name, content in found if not content.strip()] == []
    assert {name for name, _ in found} == set(BLOCKS)


def test_every_policy_table_and_column_is_documented():
    page = text_of(REPO / "docs" / "policy.md")
    for path in sorted((REPO / "seeds" / "policy").glob("*.csv")):
        section = re.search(rf"^### {path.stem}$(.*?)(?=^### |\Z)", page, re.MULTILINE | re.DOTALL)
        assert section, path.name
        for column in path.read_text(encoding="utf-8").splitlines()[0].split(","):
            assert f"| `{column}` |" in section[1], (path.name, column)


def test_every_policy_table_is_explained_on_a_page():
    prose = "\n".join(text_of(page) for page in PAGES if page.name != "policy.md")
    unexplained = [
        path.name for path in sorted((REPO / "seeds" / "policy").glob("*.csv"))
        if f"policy.md#{path.stem}" not in prose and path.name not in prose
    ]
    assert unexplained == []


def test_every_table_is_in_the_schema():
    page = text_of(REPO / "docs" / "schema.md")
    expected = {name for name in known_tables() if not name.startswith("policy.")}
    assert {name for name in expected if f"`{name}`" not in page} == set()
    for name, landed in LANDED.items():
        assert f"### `landed.{name}`\n\n{landed.grain}" in page


def test_every_decision_is_numbered_once():
    numbers = [path.name[:4] for path in sorted((REPO / "docs" / "decisions").glob("*.md"))]
    assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)]


def test_every_policy_column_is_defined_once():
    page = text_of(REPO / "docs" / "policy.md")
    defined = re.findall(r"^\| `(\w+)` \| ", page.partition("## What the columns mean")[2], re.MULTILINE)
    seeds = sorted((REPO / "seeds" / "policy").glob("*.csv"))
    columns = {column for path in seeds for column in path.read_text("utf-8").splitlines()[0].split(",")}
    assert defined == sorted(columns)
