"""What is observed: one row for each series, or for a family of them such as `fx.eur.*`.

Adding a series is a row here; one of a new publisher needs its connector too. A connector is
`fetch(*, row, since, today) -> Iterable[Reading]`: it asks the publisher, and refuses as a whole
(ValueError) what breaks the format, so that the last good values stay.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Reading:
    """One value as its publisher gives it."""

    series: str
    day: date
    value: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series or, where the name ends in `*`, one for each thing that the publisher names.

    In `unit` braces stand for what the star stands for. `leader` is the series by which we know
    how far we are; an answer of the publisher without it is refused. Each refresh reads `overlap`
    again, because publishers correct themselves.
    """

    name: str
    title: str
    unit: str
    source: str
    licence: str
    connector: str
    leader: str
    overlap: timedelta = timedelta(days=14)

    def covers(self, name: str) -> bool:
        """Tell whether an observed series belongs to this row."""
        if self.name.endswith("*"):
            return name.startswith(self.name[:-1])
        return name == self.name

    def unit_of(self, name: str) -> str:
        """Return the unit of one of its series."""
        return self.unit.format(name.removeprefix(self.name.rstrip("*")))


SERIES: tuple[Series, ...] = (
    Series(
        name="fx.eur.*",
        title="Euro reference rate",
        unit="{} for 1 EUR",
        source="ECB",
        licence="European Central Bank, free reuse with the source named",
        connector="apps.signals.rates.fetch",
        leader="fx.eur.USD",
    ),
)


def row_of(name: str) -> Series | None:
    """Return the row of an observed series; None for one whose row has left."""
    return next((row for row in SERIES if row.covers(name)), None)
