"""The command line: each verb is a few lines over the pipeline."""

import sys

import typer

from mathpinpoint.cli import ask, models, release, run
from mathpinpoint.progress import plain

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Training data for problem-level math retrieval: raw pages in, a judged release out.",
)
train_app = typer.Typer(no_args_is_help=True, help="Train the relevance model or a retriever.")

for verb in (run.run, run.land, run.status, ask.query, ask.explain, ask.diff):
    app.command()(verb)
for verb in (release.release, release.verify, release.sample, models.evaluate):
    app.command()(verb)
app.command("import")(release.import_)
app.add_typer(train_app, name="train")
train_app.command("relevance-model")(models.train_relevance)
train_app.command("retriever")(models.train_retriever)


STOPPED = 130  # the exit code of Ctrl-C


def main() -> None:
    """Run a verb; an error of the user or of the data is one message and exit code 2."""
    try:
        code = app(standalone_mode=False)  # what a verb raised as typer.Exit; 130 after Ctrl-C
    except KeyboardInterrupt:
        code = STOPPED
    except Exception as error:
        if not is_expected(error):
            raise
        told = error.format_message() if hasattr(error, "format_message") else error
        if str(told):  # nothing is told where the help is
            print(f"Error: {plain(str(told))}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", 2))
    if code == STOPPED:
        print("\nStopped; what is landed stays. Run the same command again to go on.", file=sys.stderr)
    sys.exit(code or 0)


def is_expected(error: Exception) -> bool:
    """An error that its message explains: ours, the command line's, the data's; not a bug."""
    ours = ("mathpinpoint", "click", "typer", "duckdb", "_duckdb")
    return type(error).__module__.startswith(ours) or isinstance(error, ValueError | OSError)
