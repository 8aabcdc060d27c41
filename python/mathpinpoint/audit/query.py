"""One read-only SQL question, and its answer as text."""

from typing import Any

from mathpinpoint.warehouse import WarehouseError

LOCK_DOWN = (
    "set autoinstall_known_extensions = false",
    "set autoload_known_extensions = false",
    "set lock_configuration = true",
)
WIDEST = 80


def ask(warehouse: Any, sql: str, limit: int) -> tuple[list[str], list[tuple]]:
    """Columns and at most `limit` rows. Raises WarehouseError unless it is exactly one SELECT that DuckDB takes."""
    import duckdb

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise WarehouseError(f"DuckDB cannot read this: {error}") from error
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise WarehouseError(
            "Ask exactly one SELECT statement. The warehouse is written by dbt alone."
        )
    with warehouse.reading() as connection:
        for setting in LOCK_DOWN:
            connection.execute(setting)
        try:
            found = connection.execute(statements[0])
            columns = [column[0] for column in found.description]
            return columns, found.fetchmany(limit)
        except duckdb.Error as error:
            raise WarehouseError(
                f'{error}\nSee `mathpinpoint query "show all tables"` or docs/schema.md.'
            ) from error


def printable(value: Any) -> str:
    """A cell on one line, control characters and escapes of a terminal made visible."""
    text = "" if value is None else str(value)
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def table_text(columns: list[str], rows: list[tuple]) -> str:
    cells = [[printable(name) for name in columns], *([printable(value) for value in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
