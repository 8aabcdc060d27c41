"""Which models are older than the landed facts that they are made of: dbt's graph, and what was built of it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


class Lineage:
    """The models of one home that were built since the facts they stand on last changed.

    Seeds and the views of staging are taken for built: a view shows what landed after it was made.
    """

    def __init__(self, manifest: Any, landed: Path):
        """`manifest` is dbt's of the project; `landed` the folder of the landed tables."""
        nodes = manifest.nodes.values()
        models = [node for node in nodes if node.resource_type == "model"]
        self.views = {node.name.removeprefix("stg_"): node.unique_id for node in models if node.schema == "staging"}
        views = set(self.views.values())
        self.names = {node.unique_id: node.name for node in nodes}
        self.models = {node.name: node.unique_id for node in models if node.unique_id not in views}
        self.parents = {model: set(manifest.nodes[model].depends_on_nodes) for model in self.models.values()}
        self.tests = {
            node.unique_id: {table for table in node.depends_on_nodes if table in self.parents}
            for node in nodes if node.resource_type == "test"
        }
        self.children: dict[str, set[str]] = {}
        for model, parents in self.parents.items():
            for parent in parents:
                self.children.setdefault(parent, set()).add(model)
        self.landed, self.seen = landed, shards(landed)
        self.fresh: set[str] = set()

    def stale(self, wanted: Iterable[str]) -> list[str]:
        """The wanted models and those above them, by name, as far as they are to be built."""
        now = shards(self.landed)
        changed = {self.views[table] for table in now if now[table] != self.seen.get(table) and table in self.views}
        self.fresh -= _reached(changed, self.children)
        self.seen = now
        above = _reached({self.models[name] for name in wanted}, self.parents)
        return sorted(self.names[model] for model in (above & self.parents.keys()) - self.fresh)

    def tests_of(self, models: Iterable[str]) -> list[str]:
        """The data tests that read one of these models, and nothing that is not there once these are built."""
        new = {self.models[name] for name in models}
        there = self.fresh | new
        return sorted(self.names[test] for test, tables in self.tests.items() if tables & new and tables <= there)

    def built(self, models: Iterable[str]) -> None:
        """Note that these models were built over what had landed when `stale` named them."""
        self.fresh |= {self.models[name] for name in models}


def shards(landed: Path) -> dict[str, frozenset[str]]:
    """The names of the shards of each landed table."""
    return {folder.name: frozenset(path.name for path in folder.glob("[!.]*.parquet")) for folder in landed.iterdir()}


def _reached(start: set[str], neighbours: Mapping[str, set[str]]) -> set[str]:
    """The start, and all that its neighbours' neighbours lead to."""
    found, waiting = set(start), list(start)
    while waiting:
        for node in neighbours.get(waiting.pop(), ()):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found
