"""What was known of series at a moment, as the forecasts read it. Pure but for
`load_series_snapshot`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from apps.reference.signals import upkeep
from apps.reference.signals.composition import History
from apps.reference.signals.points import Point, without_age_limit
from apps.reference.signals.quality import SeriesInput, is_input_counted
from apps.reference.signals.selectors import series_values

SINCE = date(1980, 1, 1)  # how far back scenarios look


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSnapshot:
    """The newest points and the histories of series at a moment.

    A series that is too old, or of which nothing was observed, is as if it were not there. What a
    score is made of is asked of `ageless` too: silence must not calm it
    (apps/reference/signals/lapsed_inputs.py).
    """

    as_of: datetime
    points: Mapping[str, Point]
    past: Mapping[str, History]

    @property
    def ageless(self) -> "SeriesSnapshot":
        """The same, where nothing is ever too old."""
        return replace(self, points=without_age_limit(self.points))

    def point(self, name: str) -> Point | None:
        """Return the newest point of a series; None where it does not count."""
        found = self.points.get(name)
        good = found is not None and is_input_counted(self.input(name), as_of=self.as_of)
        return found if good else None

    def month(self, name: str) -> int:
        """Return the month of which the newest figure of a series is; without one that of now."""
        found = self.point(name)
        return (found.day if found else self.as_of).month

    def input(
        self, name: str, weight: Decimal = Decimal(1), *, required: bool = False
    ) -> SeriesInput:
        """Return a series as `judge_quality` weighs it."""
        return SeriesInput(name=name, weight=weight, point=self.points.get(name), required=required)

    def history(self, name: str) -> History:
        """Return the days and values of a series that counts, oldest first; else none."""
        return self.past.get(name, ()) if self.point(name) else ()

    def before(self, back: timedelta) -> "SeriesSnapshot":
        """Return what these histories say of an earlier moment, by days and not by vintages.

        Of a series that counts now the last value up to then counts then, unless it was older
        than it may be. The sample's are never too old: then they count within a year.
        """
        then = self.as_of - back
        past = {
            name: tuple(one for one in history if one[0] <= then.date())
            for name, history in self.past.items()
        }
        points = {
            name: replace(point, day=past[name][-1][0], value=past[name][-1][1])
            for name, point in self.points.items()
            if past.get(name) and then.date() - past[name][-1][0] <= _age_limit(point)
        }
        return SeriesSnapshot(as_of=then, points=points, past=past)


def _age_limit(point: Point) -> timedelta:
    return timedelta(days=366) if point.sample else point.max_age


def load_series_snapshot(names: Iterable[str], *, as_of: datetime) -> SeriesSnapshot:
    """Return what was known of some series at a moment; in at most four queries."""
    wanted = tuple(dict.fromkeys(names))
    points = upkeep.expire_silent_points(
        series_values.load_latest_points(wanted, as_of=as_of), as_of=as_of
    )
    return SeriesSnapshot(
        as_of=as_of,
        points=points,
        past=series_values.load_histories(wanted, as_of=as_of, since=SINCE),
    )
