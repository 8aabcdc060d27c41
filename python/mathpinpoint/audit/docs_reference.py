"""The reference pages: tables of the release, models, landed tables and policy, as Markdown."""

import csv
import json
from pathlib import Path

import yaml

from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import WarehouseError

RELEASE_ORDER = ("judgments", "queries", "corpus")
SCHEMA_ORDER = ("staging", "corpus", "queries", "retrieval", "judging", "release", "training", "evaluation", "audit")
SHOWN_VALUES = 8


def table(columns: tuple[str, ...], rows: list[tuple]) -> str:
    """A Markdown table; a bar within a cell is escaped."""
    cells = [columns, tuple("---" for _ in columns), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |\n" for row in cells)


def models(home: Path) -> list[dict]:
    """The models of dbt's manifest, as the last build of this home folder left it."""
    path = home / "target" / "manifest.json"
    if not path.is_file():
        raise WarehouseError(f"{path} is missing. Run `mathpinpoint run --home {home}`.")
    nodes = json.loads(path.read_text(encoding="utf-8"))["nodes"].values()
    return sorted((node for node in nodes if node["resource_type"] == "model"), key=lambda node: node["alias"])


def release_tables(home: Path, project: Path) -> str:
    """The contracts of the three tables of the release: names, types, descriptions."""
    parts = []
    released = {node["alias"]: node for node in models(home) if node["schema"] == "release"}
    for name in RELEASE_ORDER:
        node = released[name]
        rows = [
            (f"`{column['name']}`", column["data_type"], column["description"])
            for column in node["columns"].values()
        ]
        parts.append(f"### `release.{name}`\n\n{node['description']}\n\n" + table(("column", "type", "what"), rows))
    return "\n".join(parts)


def models_by_schema(home: Path, project: Path) -> str:
    """Every model with its grain, schema by schema."""
    found = models(home)
    parts = []
    for schema in SCHEMA_ORDER:
        rows = [
            (f"[`{schema}.{node['alias']}`](../{node['original_file_path']})", " ".join(node["description"].split()))
            for node in found if node["schema"] == schema
        ]
        parts.append(f"### {schema}\n\n" + table(("table", "grain"), rows))
    return "\n".join(parts)


def landed_tables(home: Path, project: Path) -> str:
    """Every landed table with its grain, key and columns."""
    parts = []
    for name, landed in LANDED.items():
        columns = ", ".join(f"`{field.name}` {field.type}" for field in landed.schema)
        key = ", ".join(f"`{column}`" for column in landed.key)
        parts.append(f"### `landed.{name}`\n\n{landed.grain} Key: {key}.\n\n{columns}\n")
    return "\n".join(parts)


def policy_seeds(home: Path, project: Path) -> str:
    """Every seed: what it decides, its key, its columns and the values that stand in them."""
    folder = project / "seeds" / "policy"
    seeds = yaml.safe_load((folder / "policy.yml").read_text(encoding="utf-8"))["seeds"]
    return "\n".join(seed_text(seed, folder / f"{seed['name']}.csv") for seed in seeds)


def seed_text(seed: dict, path: Path) -> str:
    """One seed's section."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    named = {column["name"]: column for column in seed.get("columns", [])}
    described = any(column.get("description") for column in named.values())
    cells = []
    for name, kind in seed["config"]["column_types"].items():
        column = named.get(name, {})
        cell = (f"`{name}`", kind, must_be(column), values(row[name] for row in rows))
        cells.append((*cell, column.get("description", "")) if described else cell)
    head = ("column", "type", "must be", "values", *(("what",) if described else ()))
    link = f"[`{path.name}`](../seeds/policy/{path.name})"
    about = f"{seed['description']} {link}, rows: {len(rows)}, one per {key_of(seed)}."
    return f"### {seed['name']}\n\n{about}\n\n" + table(head, cells)


def key_of(seed: dict) -> str:
    """The columns of the seed's key."""
    tests = [test["unique_combination"] for test in seed["data_tests"] if "unique_combination" in test]
    return ", ".join(f"`{column}`" for column in tests[0]["arguments"]["columns"])


def must_be(column: dict) -> str:
    """What the build refuses otherwise: one of some values, or a row of another seed."""
    for test in column.get("data_tests", []):
        if isinstance(test, dict) and "accepted_values" in test:
            return ", ".join(f"`{value}`" for value in test["accepted_values"]["arguments"]["values"])
        if isinstance(test, dict) and "relationships" in test:
            arguments = test["relationships"]["arguments"]
            return f"`{arguments['field']}` of {arguments['to'].split(chr(39))[1]}"
    return ""


def values(column) -> str:
    """The distinct values in the order of the file, the first few of them; long ones are cut."""
    distinct = [value for value in dict.fromkeys(column) if value]
    shown = [f"`{value}`" if len(value) <= 40 else f"`{value[:37]}…`" for value in distinct[:SHOWN_VALUES]]
    return ", ".join(shown) + (f" and {len(distinct) - SHOWN_VALUES} more" if len(distinct) > SHOWN_VALUES else "")
