"""Values of series as they were read, by day. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class StoredValue:
    """One value as it is stored."""

    value: Decimal
    source: str
    vintage: datetime


ValuesByDay = Mapping[date, StoredValue]
Histories = dict[str, Sequence[tuple[date, Decimal]]]


class SeriesTable(dict[str, ValuesByDay]):
    """Values of stored series by day; those of derived series are computed once."""

    def __init__(self, read: Mapping[str, ValuesByDay]) -> None:
        super().__init__(read)
        self.derived: dict[str, ValuesByDay] = {}

    def with_whole(self, read: Mapping[str, ValuesByDay]) -> "SeriesTable":
        """Return a table with the whole history of some series; itself if there is none."""
        if not read:
            return self
        return SeriesTable({**self, **read})
