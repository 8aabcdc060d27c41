"""The command line: each verb is a few lines over the pipeline."""

import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from mathpinpoint.pipeline import STAGES, Pipeline, Settings
from mathpinpoint.progress import Reporter
from mathpinpoint.warehouse import Warehouse, WarehouseError

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Training data for problem-level math retrieval: raw pages in, a judged release out.",
)
train_app = typer.Typer(no_args_is_help=True, help="Train the relevance model or a retriever.")
app.add_typer(train_app, name="train")

HomeOption = Annotated[Path, typer.Option("--home", envvar="MATHPINPOINT_HOME", help="Folder of everything that a run makes.")]
ProfileOption = Annotated[str | None, typer.Option("--profile", envvar="MATHPINPOINT_PROFILE", help="Name or TOML file; default: the one in seeds/policy/active.csv.")]
PolicyOption = Annotated[str | None, typer.Option("--policy", envvar="MATHPINPOINT_POLICY", help="Policy to build; default: the one in seeds/policy/active.csv.")]
BaseUrlOption = Annotated[str | None, typer.Option("--base-url", envvar="MATHPINPOINT_BASE_URL", help="OpenAI-compatible server that answers the prompts.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
HOME = Path("build")


def settings_of(home, profile, policy, base_url=None, pages=(), evaluation=(), text_column=None, workers=2) -> Settings:
    """The settings of a run; policy and profile also go to dbt, by its environment."""
    if policy:
        os.environ["MATHPINPOINT_POLICY"] = policy
    profile = profile or active("profile")
    os.environ["MATHPINPOINT_PROFILE"] = Path(profile).stem
    sets = dict(one.split("=", 1) if "=" in one else (Path(one).stem, one) for one in evaluation)
    return Settings(
        home=home, profile=profile, pages=list(pages), text_column=text_column, base_url=base_url,
        evaluation={name: Path(path) for name, path in sets.items()}, workers=workers,
    )


def active(column: str) -> str:
    """The policy or profile that seeds/policy/active.csv names."""
    import csv

    from mathpinpoint.warehouse import project_folder

    with (project_folder() / "seeds" / "policy" / "active.csv").open(encoding="utf-8") as lines:
        return next(csv.DictReader(lines))[column]


@app.command()
def run(
    pages: Annotated[list[Path] | None, typer.Option("--pages", help="File or folder of pages; may be given again. Default: the sample web.")] = None,
    evaluation: Annotated[list[str] | None, typer.Option("--evaluation", help="NAME=FILE.jsonl of an evaluation set that no query may leak; may be given again.")] = None,
    text_column: Annotated[str | None, typer.Option(help="Column of Parquet, JSONL or CSV that holds the page.")] = None,
    base_url: BaseUrlOption = None,
    home: HomeOption = HOME,
    profile: ProfileOption = None,
    policy: PolicyOption = None,
    workers: Annotated[int, typer.Option(help="Worker processes of the loaders.")] = 2,
) -> None:
    """Run every stage from the pages to a release; run again to go on where it stopped."""
    from mathpinpoint.audit.summary import summary
    from mathpinpoint.publishing import publish
    from mathpinpoint.sampling import sample_server, sample_web

    reporter = Reporter(Console())
    web = None if pages else sample_web(home)
    with sample_server(web) if web and not base_url else nullcontext() as server:
        settings = settings_of(
            home, profile, policy, server.base_url if server else base_url,
            pages or web.pages, evaluation or ([f"{k}={v}" for k, v in web.evaluation.items()] if web else ()),
            text_column, workers,
        )
        pipeline = Pipeline(settings, reporter)
        pipeline.run()
    folder = publish(pipeline.warehouse, None)
    reporter.say(summary(pipeline.warehouse, folder))


@app.command()
def land(
    table: Annotated[str, typer.Argument(help=f"One of pages, evaluation_items, {', '.join(dict.fromkeys(STAGES))}.")],
    pages: Annotated[list[Path] | None, typer.Option("--pages")] = None,
    evaluation: Annotated[list[str] | None, typer.Option("--evaluation")] = None,
    text_column: Annotated[str | None, typer.Option()] = None,
    base_url: BaseUrlOption = None, home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None,
    workers: Annotated[int, typer.Option()] = 2,
) -> None:
    """Land what is pending of one table."""
    pipeline = Pipeline(
        settings_of(home, profile, policy, base_url, pages or (), evaluation or (), text_column, workers), Reporter(Console())
    )
    pipeline.prepare()
    special = {"pages": pipeline.land_pages, "evaluation_items": pipeline.land_evaluation_items}
    if table not in special and table not in STAGES:
        raise WarehouseError(f"There is no loader of {table!r}. See `mathpinpoint land --help`.")
    special.get(table, lambda: pipeline.land(table))()


@app.command()
def status(home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None, as_json: JsonOption = False) -> None:
    """Say what is landed, what is pending and what the pending LLM requests cost, before anything is paid."""
    from mathpinpoint.audit.status import status_rows, status_text

    warehouse = Warehouse(home)
    rows = status_rows(warehouse)
    print(json.dumps(rows, indent=2, default=str) if as_json else status_text(rows))


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT statement.")],
    home: HomeOption = HOME,
    as_json: JsonOption = False,
    limit: Annotated[int, typer.Option(help="Rows to print at most.")] = 1000,
) -> None:
    """Ask the warehouse a question in SQL, read-only."""
    from mathpinpoint.audit.query import ask, table_text

    columns, rows = ask(Warehouse(home), sql, limit)
    print(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=2, default=str) if as_json else table_text(columns, rows))


@app.command()
def explain(query_id: str, doc_id: str, home: HomeOption = HOME, as_json: JsonOption = False) -> None:
    """Say why a pair has its label: ranks, fusion, rule, every reply, the resolution, the training rows."""
    from mathpinpoint.audit.explain import explain_pair, explanation_text

    found = explain_pair(Warehouse(home), query_id, doc_id)
    print(json.dumps(found, indent=2, default=str) if as_json else explanation_text(found))


@app.command()
def diff(a: str, b: str, home: HomeOption = HOME, as_json: JsonOption = False) -> None:
    """Say what policy B would change against A: labels, training rows, pairs to judge and their cost.

    A and B are policies of seeds/policy, folders of seeds, or git revisions.
    """
    from mathpinpoint.audit.diff import diff_policies, diff_text

    found = diff_policies(Warehouse(home), a, b)
    print(json.dumps(found, indent=2, default=str) if as_json else diff_text(found))


@app.command()
def release(folder: Path, home: HomeOption = HOME, replace: Annotated[bool, typer.Option(help="Replace a release that is there.")] = False) -> None:
    """Write a release of what is built."""
    from mathpinpoint.publishing import publish

    print(publish(Warehouse(home), folder, replace=replace))


@app.command()
def verify(folder: Path) -> None:
    """Check a release: checksums, counts, references and label rules. Exit code 1 names what is wrong."""
    from mathpinpoint.release.verify import verify_release

    problems = verify_release(folder)
    for problem in problems:
        print(problem)
    print(f"{folder}: {len(problems)} problems" if problems else f"{folder}: nothing is wrong")
    raise typer.Exit(1 if problems else 0)


@app.command("import")
def import_(folder: Path, name: Annotated[str | None, typer.Option(help="Name of the release in the warehouse.")] = None, home: HomeOption = HOME) -> None:
    """Load a published release into the warehouse: query it, cut its labels anew, select training rows."""
    from mathpinpoint.importing import land_release

    print(land_release(Warehouse(home), folder, name or folder.resolve().name))


@app.command()
def sample(folder: Path, pages: Annotated[int, typer.Option(help="Number of pages.")] = 1000, seed: Annotated[int, typer.Option()] = 0) -> None:
    """Generate a sample web: pages, their truth and an evaluation set."""
    from mathpinpoint.sample.generate import write_web

    for kind, count in sorted(write_web(folder, pages=pages, seed=seed).items()):
        print(f"{kind}: {count}")


@train_app.command("relevance-model")
def train_relevance(home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None) -> None:
    """Train the relevance model on the LLM's labels; the newest one scores from then on."""
    from mathpinpoint.training import land_relevance_model

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console()))
    pipeline.prepare()
    pipeline.build("+relevance_training_pairs", "+relevance_model")
    land_relevance_model(pipeline.warehouse, pipeline.settings, pipeline.reporter)


@train_app.command("retriever")
def train_retriever(home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None, steps: Annotated[int | None, typer.Option(help="Default: the profile's.")] = None) -> None:
    """Fine-tune a retriever on the training rows."""
    from mathpinpoint.training import land_retrievers

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console()))
    pipeline.prepare()
    pipeline.build("+training_rows")
    land_retrievers(pipeline.warehouse, pipeline.settings, pipeline.reporter, steps)


@app.command()
def evaluate(models: Annotated[list[str] | None, typer.Argument(help="Models to compare: ids of trained retrievers or folders; default: the base and all trained.")] = None, home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None, as_json: JsonOption = False) -> None:
    """Measure retrievers over the whole corpus: nDCG@10 and R@100 with intervals, holes counted."""
    from mathpinpoint.evaluating import evaluate_models, evaluation_text

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console(stderr=as_json)))
    found = evaluate_models(pipeline, models or [])
    print(json.dumps(found, indent=2, default=str) if as_json else evaluation_text(found))


def main() -> None:
    """Run a verb; an error of the user or of the data is one message and exit code 2."""
    try:
        app(standalone_mode=False)
    except typer.Exit as leave:
        sys.exit(leave.exit_code)
    except KeyboardInterrupt:
        print("\nStopped; what is landed stays. Run the same command again to go on.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        if type(error).__module__.startswith(("mathpinpoint", "click", "typer")) or isinstance(error, (ValueError, OSError)):
            print(f"Error: {getattr(error, 'message', None) or error}", file=sys.stderr)
            sys.exit(getattr(error, "exit_code", 2))
        raise


if __name__ == "__main__":
    main()
