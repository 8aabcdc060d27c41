"""The dbt project, parsed once, and an empty home, built once for all tests of the house."""

import os
from pathlib import Path

import pytest
import tiny_facts

from mathpinpoint.warehouse import Warehouse

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def project() -> Path:
    return PROJECT


@pytest.fixture(scope="session", autouse=True)
def environment():
    """No policy or profile of the environment: the seeds decide. Gives the home that was named before."""
    kept = {name: os.environ.pop(name, None) for name in ("MATHPINPOINT_POLICY", "MATHPINPOINT_PROFILE")}
    yield os.environ.get("MATHPINPOINT_HOME")
    os.environ.update({name: value for name, value in kept.items() if value is not None})


@pytest.fixture(autouse=True)
def home_named_before(environment):
    """What a build in this process names as the home is forgotten after each test."""
    yield
    os.environ.pop("MATHPINPOINT_HOME", None)
    if environment is not None:
        os.environ["MATHPINPOINT_HOME"] = environment


@pytest.fixture(scope="session")
def unbuilt_home(project, tmp_path_factory) -> Warehouse:
    """A home in which nothing is landed."""
    warehouse = Warehouse(tmp_path_factory.mktemp("empty"), project)
    warehouse.create()
    return warehouse


@pytest.fixture(scope="session")
def manifest(unbuilt_home):
    """dbt's manifest of the project."""
    from dbt.cli.main import dbtRunner

    os.environ["MATHPINPOINT_HOME"] = str(unbuilt_home.home)
    project, target = str(unbuilt_home.project), str(unbuilt_home.home / "target")
    result = dbtRunner().invoke(
        ["--log-level", "none", "--no-print", "parse", "--project-dir", project,
         "--profiles-dir", project, "--target-path", target, "--log-path", target]
    )
    assert result.success, result.exception
    return result.result


@pytest.fixture(scope="session")
def models(manifest) -> dict:
    """Name -> node of every model."""
    return {
        node.name: node for node in manifest.nodes.values() if node.resource_type == "model"
    }


@pytest.fixture(scope="session")
def empty_home(unbuilt_home) -> Warehouse:
    """The home in which nothing is landed, built with every data test and every unit test."""
    unbuilt_home.build()
    return unbuilt_home


@pytest.fixture(scope="session")
def tiny_home(project, tmp_path_factory) -> Warehouse:
    """A home whose facts are written by hand (see `tiny_facts`), built with every data test."""
    return tiny_facts.home(tmp_path_factory.mktemp("tiny"), project)
