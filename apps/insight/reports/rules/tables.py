"""Tables of reports: rows of texts that a page and a PDF both show. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table: its columns, how wide each is of 100, and what yields its rows."""

    title: str
    columns: tuple[str, ...]
    wide: tuple[int, ...]
    rows: Callable[[Mapping[str, Any]], Iterable[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class FilledTable:
    """A table as it is shown."""

    title: str
    columns: Sequence[str]
    wide: Sequence[int]
    rows: Sequence[tuple[str, ...]]

    @property
    def cells(self) -> list[list[tuple[str, str]]]:
        """The rows, each text with its column, for the stacked layout on phones."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]


def fill_table(listing: ReportTable, data: Mapping[str, Any]) -> FilledTable | None:
    """Return a table of some data; None where it has no row."""
    rows = tuple(listing.rows(data))
    return FilledTable(listing.title, listing.columns, listing.wide, rows) if rows else None
