"""Months as ranges of ids. Pure."""

from dataclasses import dataclass
from datetime import datetime

IDS_A_MONTH = 10**10  # ids of a month: enough for 3,800 rows a second throughout


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A calendar month in UTC."""

    year: int
    month: int

    @classmethod
    def of(cls, moment: datetime) -> "Month":
        """Return the month of a moment in UTC."""
        return cls(moment.year, moment.month)

    @classmethod
    def holding(cls, number: int) -> "Month":
        """Return the month that an id belongs to."""
        year, month = divmod(number // IDS_A_MONTH, 12)
        return cls(year, month + 1)

    def later(self, months: int) -> "Month":
        """Return the month that is a number of months later."""
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)

    @property
    def begins(self) -> int:
        """The first id of the month."""
        return (self.year * 12 + self.month - 1) * IDS_A_MONTH

    def __str__(self) -> str:
        return f"{self.year:04d}_{self.month:02d}"
