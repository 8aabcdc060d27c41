"""The verbs that train and evaluate."""

from typing import Annotated

import typer
from rich.console import Console

from mathpinpoint.cli.options import (
    HOME,
    HomeOption,
    JsonOption,
    PolicyOption,
    ProfileOption,
    settings_of,
    show,
)
from mathpinpoint.pipeline import Pipeline
from mathpinpoint.progress import Reporter


def train_relevance(
    home: HomeOption = HOME, profile: ProfileOption = None, policy: PolicyOption = None
) -> None:
    """Train the relevance model on the LLM's labels; the newest one scores from then on."""
    from mathpinpoint.training import land_relevance_model

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console()))
    pipeline.prepare()
    pipeline.build("relevance_training_pairs", "relevance_model")
    land_relevance_model(pipeline.warehouse, pipeline.settings, pipeline.reporter)


def train_retriever(
    home: HomeOption = HOME,
    profile: ProfileOption = None,
    policy: PolicyOption = None,
    steps: Annotated[int | None, typer.Option(help="Default: the profile's.")] = None,
) -> None:
    """Fine-tune a retriever on the training rows."""
    from mathpinpoint.training import land_retrievers

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console()))
    pipeline.prepare()
    pipeline.build("training_rows")
    land_retrievers(pipeline.warehouse, pipeline.settings, pipeline.reporter, steps)


def evaluate(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            help="Ids of trained retrievers or folders; default: the base and all trained."
        ),
    ] = None,
    home: HomeOption = HOME,
    profile: ProfileOption = None,
    policy: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure retrievers over the whole corpus: nDCG@10 and R@100 with intervals, holes counted."""
    from mathpinpoint.evaluating import evaluate_models, evaluation_text

    pipeline = Pipeline(settings_of(home, profile, policy), Reporter(Console(stderr=as_json)))
    found = evaluate_models(pipeline, models or [])
    show(found, evaluation_text(found), as_json)
