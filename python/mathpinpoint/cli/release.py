"""The verbs around a release: release, verify, import; and sample, which makes pages."""

from pathlib import Path
from typing import Annotated

import typer

from mathpinpoint.cli.options import HOME, HomeOption
from mathpinpoint.progress import plain
from mathpinpoint.warehouse import Warehouse


def release(
    folder: Path,
    home: HomeOption = HOME,
    replace: Annotated[bool, typer.Option(help="Replace a release that is there.")] = False,
) -> None:
    """Write a release of what is built."""
    from mathpinpoint.publishing import publish

    print(publish(Warehouse(home), folder, replace=replace))


def verify(folder: Path) -> None:
    """Check a release: checksums, counts, references, label rules. Exit code 1: it is not right."""
    from mathpinpoint.release.verify import verify_release

    problems = verify_release(folder)
    for problem in problems:
        print(plain(f"{problem.file}: {problem.what}"))
    print(f"{folder}: {len(problems)} problems" if problems else f"{folder}: nothing is wrong")
    raise typer.Exit(1 if problems else 0)


def import_(
    folder: Path,
    name: Annotated[str | None, typer.Option(help="Name of the release in the warehouse.")] = None,
    home: HomeOption = HOME,
) -> None:
    """Load a published release: query it, cut its labels anew, select training rows."""
    from mathpinpoint.importing import land_release

    print(land_release(Warehouse(home), folder, name or folder.resolve().name))


def sample(
    folder: Path,
    pages: Annotated[int, typer.Option(help="Number of pages.")] = 1000,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Generate a sample web: pages, their truth and an evaluation set."""
    from mathpinpoint.sample.generate import write_web

    for kind, count in sorted(write_web(folder, pages=pages, seed=seed).items()):
        print(f"{kind}: {count}")
