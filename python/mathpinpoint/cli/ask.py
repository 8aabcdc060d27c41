"""The verbs that only read: query, explain, diff."""

from typing import Annotated

import typer

from mathpinpoint.cli.options import HOME, HomeOption, JsonOption, show
from mathpinpoint.warehouse import Warehouse, WarehouseError


def query(
    sql: Annotated[str, typer.Argument(help="One SELECT statement.")],
    home: HomeOption = HOME,
    as_json: JsonOption = False,
    limit: Annotated[int, typer.Option(min=0, help="Rows to print at most.")] = 1000,
) -> None:
    """Ask the warehouse a question in SQL, read-only."""
    from mathpinpoint.audit.query import ask, table_text

    columns, rows = ask(Warehouse(home), sql, limit)
    if as_json and (twice := next((name for name in columns if columns.count(name) > 1), None)):
        raise WarehouseError(f"Two columns are called {twice}: as JSON one would be lost. Name them apart with AS.")
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    show(found, table_text(columns, rows), as_json)


def explain(
    query_id: str, doc_id: str, home: HomeOption = HOME, as_json: JsonOption = False
) -> None:
    """Say why a pair has its label: ranks, fusion, rule, replies, resolution, training rows."""
    from mathpinpoint.audit.explain import explain_pair, explanation_text

    found = explain_pair(Warehouse(home), query_id, doc_id)
    show(found, explanation_text(found), as_json)


def diff(a: str, b: str, home: HomeOption = HOME, as_json: JsonOption = False) -> None:
    """Say what policy B would change against A: labels, training rows, pairs to judge, cost.

    A and B are policies of seeds/policy, folders of seeds, or git revisions.
    """
    from mathpinpoint.audit.diff import diff_policies, diff_text

    found = diff_policies(Warehouse(home), a, b)
    show(found, diff_text(found), as_json)
