"""Options that verbs share, and the settings that they make."""

import csv
import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from mathpinpoint.pipeline import Settings
from mathpinpoint.progress import plain
from mathpinpoint.warehouse import project_folder

HomeOption = Annotated[
    Path,
    typer.Option(
        "--home", envvar="MATHPINPOINT_HOME", help="Folder of everything that a run makes."
    ),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        envvar="MATHPINPOINT_PROFILE",
        help="Name or TOML file; default: the one in seeds/policy/active.csv.",
    ),
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        envvar="MATHPINPOINT_POLICY",
        help="Policy to build; default: the one in seeds/policy/active.csv.",
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        envvar="MATHPINPOINT_BASE_URL",
        help="OpenAI-compatible server that answers the prompts.",
    ),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        envvar="MATHPINPOINT_ENGINE",
        help="What maps loaders over shards: local, or ray (the cluster of RAY_ADDRESS, else this machine).",
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Shards that are landed at a time.")]
MaxUsdOption = Annotated[
    float | None,
    typer.Option(
        "--max-usd", min=0,
        help="Stop before a request to an LLM that could bring what this command spends above so many US dollars.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
HOME = Path("build")


def settings_of(
    home, profile, policy, base_url=None, pages=(), evaluation=(), text_column=None, workers=2, engine="local",
    max_usd=None,
) -> Settings:
    """The settings of a run; policy and profile also go to dbt, by its environment.

    Raises ValueError for an endpoint that is not safe.
    """
    from mathpinpoint.clients.llm import require_safe

    if base_url:
        require_safe(base_url)
    if policy:
        os.environ["MATHPINPOINT_POLICY"] = policy
    profile = profile or active("profile")
    os.environ["MATHPINPOINT_PROFILE"] = Path(profile).stem
    sets = dict(one.split("=", 1) if "=" in one else (Path(one).stem, one) for one in evaluation)
    return Settings(
        home=home,
        profile=profile,
        pages=list(pages),
        text_column=text_column,
        base_url=base_url,
        evaluation={name: Path(path) for name, path in sets.items()},
        workers=workers,
        engine=engine,
        max_usd=max_usd,
    )


def active(column: str) -> str:
    """The policy or profile that seeds/policy/active.csv names."""
    with (project_folder() / "seeds" / "policy" / "active.csv").open(encoding="utf-8") as lines:
        return next(csv.DictReader(lines))[column]


def show(found: Any, text: str, as_json: bool) -> None:
    """Print what was found, as JSON or as text."""
    print(json.dumps(found, indent=2, default=str) if as_json else plain(text))
