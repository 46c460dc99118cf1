"""Values of series as they were read, by day. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Held:
    """One value as it is stored."""

    value: Decimal
    source: str
    vintage: datetime


Days = Mapping[date, Held]
Past = dict[str, Sequence[tuple[date, Decimal]]]


class Table(dict[str, Days]):
    """What was read of stored series, by day; derived ones are computed once."""

    def __init__(self, read: Mapping[str, Days]) -> None:
        super().__init__(read)
        self.derived: dict[str, Days] = {}

    def with_whole(self, read: Mapping[str, Days]) -> "Table":
        """Return the same with all that is known of some series; itself where that is nothing."""
        if not read:
            return self
        return Table({**self, **read})
