"""What a row of the tables says: of a publisher's file, and of a series that stands in it. Pure.

A `Feed` is one file of a publisher, fetched and read as a whole; a `Series` is one column of it,
or is computed from other series. What a series does not say itself, its feed says.
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
    """One value as its publisher gives it; None where one that was given is taken back."""

    series: str
    day: date
    value: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One file of a publisher.

    `reader` is the name of a parser (signals/readers). In `query` and `url` the words
    `{since}` and `{until}` (`{since_year}` and `{until_year}` their years), `{today}`, `{day}`
    (today without dashes), `{year}`, `{page}` and `{key}` stand for dates, the number of a page and
    the operator's own key, which the setting named by `key` holds; without one that it needs the
    feed is not asked. A feed that is asked for by dates gives the past that its series need in
    windows: of `window` at most, of `keyed_window` with a key; `begins` is the first day that its
    publisher has. One with `page_size` is asked for page by page, and the lists at `pages_of` are
    joined; `first_page` is the number of the first, and `empty_status` what a publisher answers who
    has no page more. `lag` is how long after a day its value comes at the latest, in working
    days where it comes of each of them,
    `max_age` how old the newest may be, `least` how many rows a whole file has. `calendar` names
    whose working days count (signals/calendars.py). `opt_in` feeds are asked only where
    the operator names them (SIGNALS_FEEDS), because of their licence. `gapless` says that a day
    between the first and the last of a file that is not in it has no value: what was known of it
    was taken back. `revises` says what the publisher changes afterwards, if anything.
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
        """Whether a request says from which day on values are wanted."""
        return any("{since" in text for text in (self.url, *self.query.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series or, where the name ends in `*`, one for each thing that the publisher names.

    In `unit` braces stand for what the star stands for. `feed` names the file and `params` say
    where in it the series stands; values times `scale` are what is kept, in `unit`. A value outside
    `plausible` refuses the whole file. A derived series has `inputs` and an `op`
    (signals/derivations.py) instead. `fallback` names series of the same unit that serve while
    this one has nothing in age. `leader` is the series of a family without which a file is refused.
    `past` is the history that its users need, of a file that is asked for by dates: from a day on,
    or for so long.
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
        """Tell whether an observed series belongs to this row."""
        if self.name.endswith("*"):
            return name.startswith(self.name[:-1]) and len(name) >= len(self.name)
        return name == self.name

    def unit_of(self, name: str) -> str:
        """Return the unit of one of its series."""
        return self.unit.format(name.removeprefix(self.name.rstrip("*")))


def plausible_range(least: str, most: str) -> tuple[Decimal, Decimal]:
    """Return the bounds of what is plausible."""
    return Decimal(least), Decimal(most)
