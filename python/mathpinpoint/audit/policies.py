"""Two policies, built side by side over the same landed facts."""

import csv
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mathpinpoint.warehouse import Warehouse, WarehouseError

PROJECT = ("models", "macros", "seeds", "tests/data", "prompts", "dbt_project.yml", "profiles.yml")
CAUTIOUS = ("--exclude-resource-type", "unit_test", "--indirect-selection", "cautious")
SEEDS = Path("seeds") / "policy"


@dataclass(frozen=True)
class Side:
    """A policy as the user named it: the dbt project that holds it, and its name if it is not the active one."""

    name: str
    project: Path
    policy: str | None


@contextmanager
def side_of(warehouse: Warehouse, name: str) -> Iterator[Side]:
    """The policy called `name`: of the seeds, a folder of seeds, or a git revision of the project.

    Raises WarehouseError that lists what there is.
    """
    policies = policy_names(warehouse.project)
    if name in policies:
        yield Side(name, warehouse.project, name)
        return
    with tempfile.TemporaryDirectory(prefix="mathpinpoint-") as scratch:
        project = Path(scratch)
        if Path(name).is_dir():
            copy_project(warehouse.project, project)
            replace_seeds(project, Path(name))
        elif revision := revision_of(warehouse.project, name):
            extract_revision(warehouse.project, revision, project)
        else:
            raise WarehouseError(
                f"{name!r} is no policy, no folder of seeds and no git revision. The policies of "
                f"{warehouse.project / SEEDS / 'policies.csv'}: {', '.join(policies)}."
            )
        yield Side(name, project, None)


def policy_names(project: Path) -> list[str]:
    with (project / SEEDS / "policies.csv").open(encoding="utf-8") as lines:
        return [row["policy"] for row in csv.DictReader(lines)]


def copy_project(source: Path, target: Path) -> None:
    """Copy what dbt reads of the project."""
    for name in PROJECT:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        elif (source / name).is_file():
            shutil.copy(source / name, target / name)


def replace_seeds(project: Path, folder: Path) -> None:
    """Put the folder's CSV files in the place of the project's; raises for one that replaces nothing."""
    known = sorted(path.name for path in (project / SEEDS).glob("*.csv"))
    given = sorted(folder.glob("*.csv"))
    strange = [path.name for path in given if path.name not in known]
    if strange or not given:
        wrong = f"{', '.join(strange)} replaces no seed" if strange else "there is no CSV file"
        raise WarehouseError(f"{folder}: {wrong}. The seeds are {', '.join(known)}.")
    for path in given:
        shutil.copy(path, project / SEEDS / path.name)


def revision_of(project: Path, name: str) -> str | None:
    """The commit that git calls `name`, None where there is none."""
    command = ["git", "-C", str(project), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return found.stdout.strip() if found.returncode == 0 else None


def extract_revision(project: Path, revision: str, target: Path) -> None:
    """Lay out the project as it was; the present profile says where the tables go."""
    command = ["git", "-C", str(project), "archive", "--format=tar", revision]
    found = subprocess.run(command, capture_output=True, check=False)
    if found.returncode:
        raise WarehouseError(f"git cannot give revision {revision}: {found.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as archive:
        archive.extractall(target, filter="data")
    if not (target / "dbt_project.yml").is_file():
        raise WarehouseError(f"Revision {revision} holds no dbt_project.yml. Name a later one.")
    shutil.copy(project / "profiles.yml", target / "profiles.yml")


def built(warehouse: Warehouse, side: Side) -> Path:
    """The DuckDB file of this policy over the landed facts; one that is there already is taken as it is."""
    folder = warehouse.home / "diff"
    folder.mkdir(exist_ok=True)
    name = digest(warehouse, side)
    file, done = folder / f"{name}.duckdb", folder / f"{name}.done"
    if done.exists() and file.exists():
        return file
    file.unlink(missing_ok=True)
    where = Warehouse(warehouse.home, project=side.project, file=f"diff/{name}.duckdb")
    target = ("--target-path", str(folder / f"{name}.target"))
    settings = {
        "MATHPINPOINT_FILE": f"diff/{name}.duckdb", "MATHPINPOINT_POLICY": side.policy,
        "MATHPINPOINT_PROJECT": str(side.project), "MATHPINPOINT_PROFILE": profile_of(warehouse),
    }
    with environment(settings):
        try:
            # The seeds with their tests: a misspelt name must fail. What the models hold is what is compared.
            where.build("--select", "path:seeds", *CAUTIOUS, *target)
            where.build("--exclude", "path:seeds", "--exclude-resource-type", "unit_test", "test", *target)
        except WarehouseError as error:
            raise WarehouseError(f"{side.name}: {error}") from error
        finally:
            shutil.rmtree(folder / f"{name}.target", ignore_errors=True)
    done.touch()
    return file


def digest(warehouse: Warehouse, side: Side) -> str:
    """24 hex digits over the project's files, the landed shards and the settings that dbt reads."""
    found = hashlib.sha256()
    for name in PROJECT:
        folder = side.project / name
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file():
                found.update(f"{path.relative_to(side.project)}\0".encode() + path.read_bytes() + b"\0")
    for path in sorted(warehouse.landed.glob("*/[!.]*.parquet")):
        found.update(f"{path.parent.name}/{path.name}\0".encode())
    policy = side.policy or os.environ.get("MATHPINPOINT_POLICY", "")
    found.update(repr((policy, profile_of(warehouse))).encode())
    return f"policy_{found.hexdigest()[:24]}"


def profile_of(warehouse: Warehouse) -> str | None:
    """The profile that the environment names, else the one that the home was built with."""
    named = os.environ.get("MATHPINPOINT_PROFILE")
    if named or not warehouse.file.exists():
        return named
    return warehouse.execute("select profile from staging.active_policy")[0][0]


@contextmanager
def environment(settings: dict[str, str | None]) -> Iterator[None]:
    """Set environment variables for a while; None leaves one as it is."""
    values = {name: value for name, value in settings.items() if value is not None}
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def unknown_names(warehouse: Warehouse, profile: str) -> str:
    """Which of the policy and the profile that were named the seeds do not know, and what they know."""
    named = {"policy": os.environ.get("MATHPINPOINT_POLICY"), "profile": profile}
    for kind, plural in (("policy", "policies"), ("profile", "profiles")):
        known = [row[0] for row in warehouse.execute(f"select {kind} from policy.{plural} order by {kind}")]
        if named[kind] and named[kind] not in known:
            break
    return (
        f"{named[kind]!r} is no {kind} of seeds/policy/{plural}.csv, which knows {', '.join(known)}. "
        f"Name one of them with --{kind}, or add its rows there and to the other seeds."
    )
