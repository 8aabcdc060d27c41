"""Numbers in the documentation are produced: `python -m mathpinpoint.audit.docs [--home build] [--check]`.

README.md and docs/*.md hold blocks between `<!-- produced: NAME -->` and `<!-- end -->`. A finished home
folder of the sample says what stands in them; `--check` only names those that say something else.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from mathpinpoint.audit.docs_blocks import BLOCKS, Cli, Sql
from mathpinpoint.audit.query import ask, table_text
from mathpinpoint.warehouse import Warehouse, WarehouseError, project_folder

BLOCK = re.compile(r"(<!-- produced: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
MARK = re.compile(r"<!-- (?:produced: \S+|end) -->")
MAX_ROWS = 1000


def pages(project: Path) -> list[Path]:
    """The pages that may hold blocks."""
    return [project / "README.md", *sorted((project / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Name and content of each block. Raises WarehouseError for a block that is open or unknown."""
    text = page.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    if 2 * len(found) != len(MARK.findall(text)):
        raise WarehouseError(f"{page}: a block is not closed. End each with a line `<!-- end -->`.")
    for match in found:
        if match[2] not in BLOCKS:
            raise WarehouseError(f"{page}: no block is named {match[2]}. See BLOCKS in {__package__}.docs_blocks.")
        yield match[2], match[3]


def produced(name: str, warehouse: Warehouse) -> str:
    """What stands in the block: a command and its output, or a part of the reference."""
    block = BLOCKS[name]
    if isinstance(block, Sql):
        columns, rows = ask(warehouse, block.statement, MAX_ROWS)
        shown = f'mathpinpoint query "{block.statement}"'
        return f"```console\n$ {shown}\n{table_text(columns, rows)}\n```\n"
    if isinstance(block, Cli):
        output = command_output(block.arguments, warehouse.home)
        return f"```console\n$ mathpinpoint {' '.join(block.arguments)}\n{output}\n```\n"
    return block.render(warehouse.home, warehouse.project)


def command_output(arguments: tuple[str, ...], home: Path) -> str:
    """What a verb of the command line prints about a home folder."""
    done = subprocess.run(
        [sys.executable, "-m", "mathpinpoint.cli", *arguments, "--home", str(home)],
        capture_output=True, text=True, check=False,
    )
    if done.returncode:
        raise WarehouseError(f"mathpinpoint {' '.join(arguments)} failed: {done.stderr.strip()}")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())


def stale(warehouse: Warehouse) -> dict[Path, dict[str, str]]:
    """For each page with stale blocks: what should stand in each, by its name."""
    contents: dict[str, str] = {}
    found: dict[Path, dict[str, str]] = {}
    for page in pages(warehouse.project):
        for name, content in blocks(page):
            if name not in contents:
                contents[name] = produced(name, warehouse)
            if contents[name] != content:
                found.setdefault(page, {})[name] = contents[name]
    return found


def rewrite(page: Path, contents: dict[str, str]) -> None:
    """Put the new contents into a page; its other blocks stay as they are."""
    text = page.read_text(encoding="utf-8")
    filled = BLOCK.sub(lambda match: match[1] + contents.get(match[2], match[3]) + match[4], text)
    page.write_text(filled, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Rewrite the stale blocks, or with --check name them; gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m mathpinpoint.audit.docs", description="Produce the documentation's numbers."
    )
    parser.add_argument("--home", type=Path, default=Path(os.environ.get("MATHPINPOINT_HOME", "build")))
    parser.add_argument("--check", action="store_true", help="Change nothing; exit 1 if a block is stale.")
    options = parser.parse_args(arguments)
    try:
        warehouse = Warehouse(options.home, project_folder())
        found = stale(warehouse)
    except WarehouseError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    for page, contents in found.items():
        for name in contents:
            print(f"{page.relative_to(warehouse.project)}: {name} {'is stale' if options.check else 'rewritten'}")
        if not options.check:
            rewrite(page, contents)
    if options.check and found:
        print("Run `make docs` on the home folder of a finished sample run, and commit what changes.")
    return 1 if options.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
