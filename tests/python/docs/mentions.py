"""What the documentation mentions: links, files, make targets, verbs, options and tables."""

import re
from collections.abc import Iterator
from pathlib import Path

import typer

from mathpinpoint.cli import app
from mathpinpoint.schemas import LANDED

REPO = Path(__file__).resolve().parents[3]
PACKAGE = REPO / "python" / "mathpinpoint"
PAGES = [
    *(REPO / name for name in ("README.md", "CONTRIBUTING.md", "models/README.md")),
    *sorted((REPO / "docs").rglob("*.md")),
]
CODE = re.compile(r"```[a-z]*\n(?P<block>.*?)```|`(?P<span>[^`\n]+)`", re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\((?P<target>[^)\s]+)\)")
PATH = re.compile(r"(?<![\w./<-])(?P<path>(?:[\w.-]+/)+[\w.*-]*)(?![\w<])")
ROOTS = {path.name for path in REPO.iterdir() if path.is_dir()} - {"build", "target", "logs"}
ROOMS = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
COMMAND = re.compile(r"(?<![\w./-])mathpinpoint (?P<words>[a-z][a-z-]*(?: [^\n`|]*)?)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
TABLE = re.compile(
    r"(?<![\w./-])(?P<schema>staging|corpus|queries|retrieval|judging|release|training|evaluation|audit"
    r"|landed|policy)\.(?P<table>[a-z_0-9]+)\b"
)
FILE_ENDINGS = {"md", "yml", "jsonl", "csv", "sql"}


def code(text: str) -> Iterator[str]:
    """The code of a page: its blocks and the spans between backquotes."""
    for match in CODE.finditer(text):
        yield match["block"] or match["span"]


def links(text: str) -> Iterator[str]:
    """Targets of links that lead into the project."""
    for match in LINK.finditer(text):
        if not match["target"].startswith(("http://", "https://")):
            yield match["target"]


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def paths(text: str) -> Iterator[str]:
    """Paths into the project that the code of a page names: under a folder of it, or a room of the package."""
    for part in code(text):
        for match in PATH.finditer(part):
            first = match["path"].split("/")[0]
            if first in ROOTS or first in ROOMS:
                yield match["path"]


def is_there(path: str) -> bool:
    """Is there a file of this name, `*` for any part of it?"""
    return any(next(folder.glob(path.rstrip("/")), None) for folder in (REPO, PACKAGE))


def commands(text: str) -> Iterator[list[str]]:
    """The words after `mathpinpoint` of each command line in the code of a page."""
    for part in code(text):
        for match in COMMAND.finditer(part):
            yield match["words"].split("#")[0].split()


def verb_of(words: list[str]):
    """The command that the words name, and whether they name one."""
    command = typer.main.get_command(app)
    for word in words:
        found = getattr(command, "commands", {}).get(word)
        if found is None:
            break
        command = found
    return command


def options_of(command) -> set[str]:
    """The options of a command."""
    return {option for parameter in command.params for option in getattr(parameter, "opts", ())}


def known_options() -> set[str]:
    """Every option of the command line, and of the modules that are run by themselves."""
    root = typer.main.get_command(app)
    found, waiting = set(), [root]
    while waiting:
        command = waiting.pop()
        found |= options_of(command)
        waiting += getattr(command, "commands", {}).values()
    for module in ("sample/llm/__main__.py", "audit/docs.py"):
        found |= set(OPTION.findall((PACKAGE / module).read_text(encoding="utf-8")))
    return found


def known_tables() -> set[str]:
    """Every table of the warehouse, as schema.table: models by folder and alias, landed tables, seeds."""
    found = {f"landed.{name}" for name in LANDED}
    found |= {f"policy.{path.stem}" for path in (REPO / "seeds" / "policy").glob("*.csv")}
    for path in (REPO / "models").glob("*/*.sql"):
        alias = re.search(r"alias='(\w+)'", path.read_text(encoding="utf-8"))
        found.add(f"{path.parent.name}.{alias[1] if alias else path.stem}")
    return found


def tables(text: str) -> Iterator[str]:
    """Tables that the code of a page names."""
    for part in code(text):
        for match in TABLE.finditer(part):
            if match["table"] not in FILE_ENDINGS:
                yield f"{match['schema']}.{match['table']}"
