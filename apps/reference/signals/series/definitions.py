"""Definitions of publishers' files and of the series in them. Pure.

A `Feed` is one file of a publisher, fetched and read as a whole; a `Series` is one column of it,
or is computed from other series. A series inherits what it does not define from its feed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

Kind = Literal["observed", "derived", "static", "proxy"]
Cadence = Literal["minutes", "day", "business_day", "week", "month", "quarter", "year"]
Revises = Literal["never", "rare", "recent", "whole_history"]
US_PUBLIC_DOMAIN = "US government work, public domain"
MISSING = frozenset({"", ".", "-", "NA", "N/A", "ND", "NaN", "null"})
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One value from its publisher; None for a withdrawn one."""

    series: str
    day: date
    value: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One file of a publisher.

    `reader` is the name of a parser (signals/readers). In `query` and `url` the words
    `{since}` and `{until}` (`{since_year}` and `{until_year}` their years), `{today}`, `{day}`
    (today without dashes), `{year}`, `{page}` and `{key}` are replaced by dates, the page number
    and the operator's own key from the setting named by `key`; a feed without a required key is not
    fetched. A feed requested by dates provides the history of its series in windows: of at most
    `window`, or `keyed_window` with a key; `begins` is the publisher's first day. A feed with
    `page_size` is requested page by page, and the lists at `pages_of` are joined; `first_page` is
    the number of the first, and `empty_status` the response status after the last. `lag` is the
    longest delay of a value after its day, in working days if it has a value for each of them,
    `max_age` the oldest that the newest value may be, `least` the fewest rows of a whole file.
    `calendar` names the working days (signals/calendars.py). `opt_in` feeds are fetched only if the
    operator names them (SIGNALS_FEEDS), because of their licence. `gapless`: a day missing between
    the first and the last of a file has no value: an earlier one was withdrawn. `revises` is what
    the publisher changes afterwards, if anything.
    """

    name: str
    publisher: str
    title: str
    url: str
    reader: str
    licence: str
    cite: str
    cadence: Cadence
    max_age: timedelta
    query: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    calendar: str = ""
    lag: timedelta = DAY
    every: timedelta = timedelta(hours=6)
    missing: frozenset[str] = MISSING
    least: int = 1
    revises: Revises = "rare"
    overlap: timedelta = timedelta(days=14)
    agent: str = ""
    accept: str = ""
    pace: timedelta = timedelta(seconds=1)
    largest: int = 16 * 1024 * 1024
    patience: float = 60
    key: str = ""
    needs_key: bool = False
    opt_in: bool = False
    gapless: bool = True
    window: timedelta | None = None
    keyed_window: timedelta | None = None
    begins: date = date.min
    page_size: int = 0
    pages_of: str = ""
    first_page: int = 1
    empty_status: int = 0

    @property
    def asked_by_dates(self) -> bool:
        """Whether a request states the first day of its values."""
        return any("{since" in text for text in (self.url, *self.query.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series or, if the name ends in `*`, one for each item that the publisher names.

    Braces in `unit` are replaced by what matches the star. `feed` names the file and `params` the
    position of the series in it; values are stored times `scale`, in `unit`. A value outside
    `plausible` refuses the whole file. A derived series has `inputs` and an `op`
    (signals/derivations.py) instead. `fallback` names series of the same unit that are used while
    this one has no current value. `leader` is the series of a family that a file must contain.
    `past` is the history that its users need from a file requested by dates: since a day, or for a
    period.
    """

    name: str
    title: str
    unit: str
    feed: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = "observed"
    plausible: tuple[Decimal, Decimal]
    scale: Decimal = Decimal(1)
    max_age: timedelta | None = None
    inputs: tuple[str, ...] = ()
    op: str = ""
    fallback: tuple[str, ...] = ()
    leader: str = ""
    past: date | timedelta | None = None

    def covers(self, name: str) -> bool:
        """Return whether an observed series belongs to this row."""
        if self.name.endswith("*"):
            # at least one letter in the place of the star
            return name.startswith(self.name[:-1]) and len(name) >= len(self.name)
        return name == self.name

    def unit_of(self, name: str) -> str:
        """Return the unit of one of its series."""
        return self.unit.format(name.removeprefix(self.name.rstrip("*")))


def plausible_range(least: str, most: str) -> tuple[Decimal, Decimal]:
    """Return the bounds of plausible values."""
    return Decimal(least), Decimal(most)
