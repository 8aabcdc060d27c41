"""The verbs that land: run, land, status."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from mathpinpoint.cli.options import (
    HOME,
    BaseUrlOption,
    EngineOption,
    HomeOption,
    JsonOption,
    MaxUsdOption,
    PolicyOption,
    ProfileOption,
    WorkersOption,
    settings_of,
    show,
)
from mathpinpoint.pipeline import STAGES, Pipeline
from mathpinpoint.progress import Reporter
from mathpinpoint.warehouse import Warehouse, WarehouseError


def run(
    pages: Annotated[
        list[Path] | None,
        typer.Option(
            "--pages",
            exists=True,
            help="File or folder of pages; may be given again. Default: the sample web.",
        ),
    ] = None,
    evaluation: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluation",
            help="NAME=FILE.jsonl of an evaluation set that no query may leak; may be given again.",
        ),
    ] = None,
    text_column: Annotated[
        str | None, typer.Option(help="Column of Parquet, JSONL or CSV that holds the page.")
    ] = None,
    base_url: BaseUrlOption = None,
    home: HomeOption = HOME,
    profile: ProfileOption = None,
    policy: PolicyOption = None,
    workers: WorkersOption = 2,
    engine: EngineOption = "local",
    max_usd: MaxUsdOption = None,
) -> None:
    """Run every stage from the pages to a release; run again to go on where it stopped."""
    from mathpinpoint.audit.summary import summary
    from mathpinpoint.publishing import publish
    from mathpinpoint.sampling import sample_server, sample_web

    reporter = Reporter(Console())
    web = None if pages else sample_web(home)
    with sample_server(web) if web and not base_url else nullcontext() as server:
        settings = settings_of(
            home,
            profile,
            policy,
            server.base_url if server else base_url,
            pages or web.pages,
            evaluation or ([f"{k}={v}" for k, v in web.evaluation.items()] if web else ()),
            text_column,
            workers,
            engine,
            max_usd,
        )
        pipeline = Pipeline(settings, reporter)
        pipeline.run()
    folder = publish(pipeline.warehouse, None)
    reporter.say(summary(pipeline.warehouse, folder))


def land(
    table: Annotated[
        str,
        typer.Argument(help=f"One of pages, evaluation_items, {', '.join(dict.fromkeys(STAGES))}."),
    ],
    pages: Annotated[list[Path] | None, typer.Option("--pages", exists=True)] = None,
    evaluation: Annotated[list[str] | None, typer.Option("--evaluation")] = None,
    text_column: Annotated[str | None, typer.Option()] = None,
    base_url: BaseUrlOption = None,
    home: HomeOption = HOME,
    profile: ProfileOption = None,
    policy: PolicyOption = None,
    workers: WorkersOption = 2,
    engine: EngineOption = "local",
    max_usd: MaxUsdOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is pending and what it costs; send and land nothing.")
    ] = False,
) -> None:
    """Land what is pending of one table."""
    from mathpinpoint.audit.status import cost_text

    if table not in ("pages", "evaluation_items", *STAGES):
        raise WarehouseError(f"There is no loader of {table!r}. See `mathpinpoint land --help`.")
    pipeline = Pipeline(
        settings_of(
            home, profile, policy, base_url, pages or (), evaluation or (), text_column, workers, engine, max_usd
        ),
        Reporter(Console()),
    )
    pipeline.prepare()
    if dry_run:
        pipeline.build_status()
        show(None, cost_text(pipeline.warehouse, table), as_json=False)
        return
    special = {"pages": pipeline.land_pages, "evaluation_items": pipeline.land_evaluation_items}
    special.get(table, lambda: pipeline.land(table))()
    pipeline.build_status()


def status(home: HomeOption = HOME, as_json: JsonOption = False) -> None:
    """Say what is landed, what is pending and what its LLM requests cost, before any is paid."""
    from mathpinpoint.audit.recall import recall_lines
    from mathpinpoint.audit.status import cost_lines, status_rows, status_text

    warehouse = Warehouse(home)
    rows = status_rows(warehouse)
    show(rows, "\n".join([status_text(rows), *cost_lines(warehouse), *recall_lines(warehouse)]), as_json)
