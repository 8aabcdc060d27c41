"""The dbt project, parsed once, and an empty home, built once for all tests of the house."""

import os
from pathlib import Path

import pytest

from mathpinpoint.warehouse import Warehouse

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def project() -> Path:
    return PROJECT


@pytest.fixture(scope="session", autouse=True)
def shipped_policy():
    """No policy or profile of the environment: the seeds decide."""
    kept = {name: os.environ.pop(name, None) for name in ("MATHPINPOINT_POLICY", "MATHPINPOINT_PROFILE")}
    yield
    os.environ.update({name: value for name, value in kept.items() if value is not None})


@pytest.fixture(scope="session")
def manifest(project, tmp_path_factory):
    """dbt's manifest of the project."""
    from dbt.cli.main import dbtRunner

    folder = tmp_path_factory.mktemp("parsed")
    os.environ["MATHPINPOINT_HOME"] = str(folder)
    result = dbtRunner().invoke(
        ["--log-level", "none", "--no-print", "parse", "--project-dir", str(project),
         "--profiles-dir", str(project), "--target-path", str(folder / "target"),
         "--log-path", str(folder)]
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
def empty_home(project, tmp_path_factory) -> Warehouse:
    """A home in which nothing is landed, built with every data test and every unit test."""
    warehouse = Warehouse(tmp_path_factory.mktemp("empty"), project)
    warehouse.create()
    warehouse.build()
    return warehouse
