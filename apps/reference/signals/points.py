"""One value of a series with its day, source, vintage and terms. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from apps.platform.common.days import start_of_day
from apps.reference.signals.sample_origins import INVENTED
from apps.reference.signals.series.definitions import Kind

SAMPLE = "SAMPLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The newest value of a series at a moment.

    `day` is the day of the value, `vintage` when it was first seen. `source` is the publisher,
    several joined by `+` for a derived series, or SAMPLE, with `+INVENTED` for an invented figure
    of the sample. `licence` has the terms of that source. `max_age` counts from the start of `day`.
    """

    series: str
    day: date
    value: Decimal
    unit: str
    source: str
    vintage: datetime
    licence: str
    kind: Kind
    max_age: timedelta
    cadence: str = ""

    @property
    def at(self) -> datetime:
        """Return the first moment of the value's day, in UTC."""
        return start_of_day(self.day)

    @property
    def sample(self) -> bool:
        """Return whether it is of the bundled sample, wholly or in part."""
        return SAMPLE in self.source.split("+")

    @property
    def invented(self) -> bool:
        """Return whether a figure that was invented for the sandbox is in it."""
        return INVENTED in self.source.split("+")

    @property
    def estimated(self) -> bool:
        """Return whether it is anything but an observation: sample, proxy or static table."""
        return self.sample or self.kind in ("proxy", "static")

    def age(self, as_of: datetime) -> timedelta:
        """Return how old the observation is, counted from its day and not from its fetch."""
        return as_of - self.at

    def age_seconds(self, as_of: datetime) -> int:
        """Return its age in whole seconds."""
        return int(self.age(as_of).total_seconds())

    def stale(self, as_of: datetime) -> bool:
        """Return whether it is older than it may be."""
        # counted from the day of the value: a file that is
        # fetched again without news does not get younger
        return self.age(as_of) > self.max_age


def without_age_limit(points: Mapping[str, Point]) -> dict[str, Point]:
    """Return the points without a limit of their age: what was last known, however long ago."""
    return {name: replace(point, max_age=timedelta.max) for name, point in points.items()}
