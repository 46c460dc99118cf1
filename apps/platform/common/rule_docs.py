"""Build the tables of rules that docs/rules.md shows. Pure."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from apps.platform.common.registry import Registry

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]
Column = str | Callable[[Any], str]

# functions of apps whose tables are printed beside those of screens, in this order
RULE_TABLES: Registry[
    Callable[[], Iterable[tuple[str, Sequence[str], Iterable[Sequence[str]]]]]
] = Registry("source of rule tables")


def build_table(
    title: str, head: tuple[str, ...], rows: Iterable[Any], cells: Sequence[Column]
) -> Table:
    """Return a table of rules: its title, its header, and the cells of each row.

    A cell is an attribute of the row, in backticks if it holds codes, or a function of the row that
    returns the text. An empty code is printed as a dash.
    """
    return title, head, [tuple(_format_cell(row, cell) for cell in cells) for row in rows]


def _format_cell(row: Any, column: Column) -> str:
    if callable(column):
        return column(row)
    value = str(getattr(row, column.strip("`")))
    if column.startswith("`"):
        return f"`{value}`" if value else "–"
    return value


def yes_or_no(name: str) -> Column:
    """Return a column of yes and no for a boolean attribute."""
    return lambda row: "yes" if getattr(row, name) else "no"
